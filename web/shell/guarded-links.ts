import { useEffect } from 'react';
import { connection } from '../api/connection.ts';

/**
 * Links that leave the app, such as those to the documentation, and downloads: followed only if the service responds, so
 * that the tab never shows the browser's error page. The router handles the clicks on all other links before this.
 */
export function useGuardedLinks(onUnreachable?: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it says the same each time.
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (link === null || !isPlain(event, link)) return;
      event.preventDefault();
      void connection.check().then((isUp) => (isUp ? follow(link) : onUnreachable?.()));
    };
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, []);
}

/** A click that would replace this page or download from the service. */
function isPlain(event: MouseEvent, link: HTMLAnchorElement): boolean {
  if (event.defaultPrevented || event.button !== 0) return false;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  const isHere = link.origin === window.location.origin && /^https?:$/.test(link.protocol);
  const isFragment = link.href.split('#')[0] === window.location.href.split('#')[0];
  return isHere && !isFragment && (link.target === '' || link.target === '_self');
}

/** A copy, because a page may have removed the link in the meantime, for example with its menu. */
function follow(link: HTMLAnchorElement): void {
  const copy = document.createElement('a');
  copy.href = link.href;
  if (link.hasAttribute('download')) copy.download = link.download;
  copy.click();
}
