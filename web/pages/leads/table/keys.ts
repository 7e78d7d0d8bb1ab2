/** How many dialogs or drawers cover the page. Its keys belong to the topmost one. */
export function openDialogs(): number {
  return document.querySelectorAll('[role=dialog][aria-modal=true]').length;
}
