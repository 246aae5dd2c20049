// The nonce of the content security policy: the server writes it into index.html for each request.
import { setNonce } from "get-nonce";

const PLACEHOLDER = "__QUARRY_CSP_NONCE__";

export function nonce(): string {
  const content = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
  return content === PLACEHOLDER ? "" : content;
}

/** Gives the nonce to libraries below Mantine that add style elements of their own (scroll locking). */
export function shareNonce() {
  if (nonce()) setNonce(nonce());
}
