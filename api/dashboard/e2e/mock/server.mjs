// Serves the built dashboard as the server does (nonce, content security policy, fallback to index.html) over a mock API.
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { createRoutes } from "./routes.mjs";
import { createStore } from "./store.mjs";

const dashboard = fileURLToPath(new URL("../..", import.meta.url));
const TYPES = { ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html" };

function policy(nonce) {
  return [
    "default-src 'none'", `script-src 'self' 'nonce-${nonce}'`, `style-src 'self' 'nonce-${nonce}'`, "img-src 'self' data:",
    "font-src 'self'", "connect-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
  ].join("; ");
}

async function serveFile(path, response) {
  if (path.startsWith("/assets/")) {
    const file = join(dashboard, "dist", normalize(path));
    const body = await readFile(file).catch(() => null);
    if (!body) return response.writeHead(404).end();
    return response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" }).end(body);
  }
  const nonce = randomBytes(16).toString("base64");
  const html = await readFile(join(dashboard, "dist/index.html"), "utf8");
  response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy(nonce) });
  return response.end(html.replaceAll("__QUARRY_CSP_NONCE__", nonce));
}

function match(routes, method, path) {
  for (const [route, handler] of Object.entries(routes)) {
    const [wanted, template] = route.split(" ");
    const pattern = new RegExp(`^${template.replace(":id", "(?<id>[^/]+)")}$`);
    const found = wanted === method && pattern.exec(path);
    if (found) return { handler, id: found.groups?.id };
  }
  return null;
}

async function bodyOf(request) {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text ? JSON.parse(text) : null;
}

export async function startMock({ port = 0, root = dashboard, password = "correct horse battery staple" } = {}) {
  const document = await readFile(new URL("../../../openapi.json", import.meta.url), "utf8");
  const { routes, isAllowed, denied, missing } = createRoutes(createStore(root), password);
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, "http://mock");
    if (url.pathname === "/api/openapi.json") return response.writeHead(200, { "Content-Type": "application/json" }).end(document);
    if (!url.pathname.startsWith("/api/v1/")) return serveFile(url.pathname, response);
    const path = url.pathname.slice("/api/v1".length);
    const token = request.headers.authorization?.replace("Bearer ", "");
    const found = match(routes, request.method, path);
    const context = { id: found?.id, query: url.searchParams, body: await bodyOf(request), cookie: request.headers.cookie ?? "", response, isClosed: () => response.destroyed };
    const answer = !isAllowed(path, token) ? denied() : found ? await found.handler(context) : missing();
    if (!answer) return undefined;
    const [status, body, headers = {}] = answer;
    response.writeHead(status, { "Content-Type": status >= 400 ? "application/problem+json" : "application/json", ...headers });
    return response.end(body === null ? "" : JSON.stringify(body));
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await startMock({ port: Number(process.env.PORT ?? 4400), root: process.env.QUARRY_MOCK_ROOT ?? dashboard });
  console.log(url);
}
