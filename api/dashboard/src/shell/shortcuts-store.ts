// Whether the list of shortcuts is open: asked by the `?` key, the account menu and the palette.
import { createStore } from "@/components/store";

export const shortcutsOpen = createStore(false);
export const openShortcuts = () => shortcutsOpen.set(true);
