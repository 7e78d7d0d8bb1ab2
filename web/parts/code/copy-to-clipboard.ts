/**
 * Copies a text; false if the browser refuses. The clipboard API is missing on plain HTTP outside localhost, where the older
 * command still works. `near` is the button: inside a dialog, the command may only use an element of that dialog.
 */
export async function copyToClipboard(text: string, near: HTMLElement): Promise<boolean> {
  // Missing on plain HTTP, whatever its type says.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) return copyByCommand(text, near);
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    return copyByCommand(text, near);
  }
}

function copyByCommand(text: string, near: HTMLElement): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'only-read';
  field.setAttribute('aria-hidden', 'true');
  let isCopied = false;
  // A browser may report success without having copied anything.
  field.addEventListener('copy', (event) => {
    // The text itself: a text area has other line ends.
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    isCopied = event.clipboardData !== null;
  });
  const before = document.activeElement;
  (near.closest('[role="dialog"]') ?? document.body).append(field);
  try {
    field.focus({ preventScroll: true });
    field.select();
    return document.execCommand('copy') && isCopied;
  } catch {
    return false;
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}
