export const SEARCH_BOX_ID = "quarry-search-box";

export function focusSearchBox() {
  const box = document.getElementById(SEARCH_BOX_ID);
  if (box instanceof HTMLInputElement) {
    box.focus();
    box.select();
  }
}
