const saidMs = 1_600;

/** Copy buttons of code blocks, and heading anchors, which copy their link. */
export function startCopying(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.copy')) {
    const code = button.parentElement?.querySelector('code');
    if (!code) continue;
    button.hidden = false;
    button.addEventListener('click', () => void copy(code.textContent ?? '', button));
  }
  for (const anchor of document.querySelectorAll<HTMLAnchorElement>('a.anchor')) {
    anchor.addEventListener('click', () => void copy(anchor.href, anchor));
  }
}

async function copy(text: string, from: HTMLElement): Promise<void> {
  const before = from.textContent;
  try {
    await navigator.clipboard.writeText(text);
    from.textContent = from.matches('.anchor') ? '# copied' : 'Copied';
  } catch {
    // Browsers allow it only on https and localhost. Elsewhere, people can still select the text.
    from.textContent = from.matches('.anchor') ? '#' : 'Copy failed';
  }
  setTimeout(() => {
    from.textContent = before;
  }, saidMs);
}
