import { createSearch, type Found, type Search } from './search-match.ts';

/** The search dialog: opens with its button, "/" or Ctrl+K; arrow keys and Enter choose a result. */
export function startSearch(): void {
  const opener = document.querySelector<HTMLButtonElement>('#search-open');
  const dialog = document.querySelector<HTMLDialogElement>('#search');
  const input = dialog?.querySelector('input');
  const list = dialog?.querySelector<HTMLElement>('#found');
  const status = dialog?.querySelector<HTMLElement>('#found-status');
  if (!opener || !dialog || !input || !list || !status) return;

  let search: Promise<Search> | undefined;
  let chosen = 0;

  const open = () => {
    search ??= loadSearch();
    // The next opening tries again.
    search.catch(() => {
      search = undefined;
      status.textContent = 'Search could not be loaded. Close this dialog and try again.';
    });
    dialog.showModal();
    input.select();
  };
  const options = () => [...list.querySelectorAll<HTMLAnchorElement>('a')];
  const choose = (place: number) => {
    const all = options();
    chosen = (place + all.length) % Math.max(1, all.length);
    for (const [at, option] of all.entries()) option.setAttribute('aria-selected', String(at === chosen));
    const current = all[chosen];
    if (current === undefined) input.removeAttribute('aria-activedescendant');
    else {
      input.setAttribute('aria-activedescendant', current.id);
      current.scrollIntoView({ block: 'nearest' });
    }
  };
  const show = async () => {
    const query = input.value;
    const find = await search?.catch(() => undefined);
    // The query has changed while the index was loading.
    if (find === undefined || query !== input.value) return;
    const found = find(query);
    list.replaceChildren(...found.map(optionOf));
    input.setAttribute('aria-expanded', String(found.length > 0));
    status.textContent = query.trim() === '' ? '' : countText(found.length);
    choose(0);
  };

  opener.hidden = false;
  opener.addEventListener('click', open);
  input.addEventListener('input', () => void show());
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1);
    else if (event.key === 'ArrowUp') choose(chosen - 1);
    else if (event.key === 'Enter') options()[chosen]?.click();
    else return;
    event.preventDefault();
  });
  // A result on the current page does not load a new one, so the dialog would stay open.
  list.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea') !== null;
    const isSlash = event.key === '/' && !isTyping;
    const isCommand = event.key === 'k' && (event.metaKey || event.ctrlKey);
    if (!isSlash && !isCommand) return;
    event.preventDefault();
    open();
  });
}

async function loadSearch(): Promise<Search> {
  const answer = await fetch(document.documentElement.dataset.search as string);
  if (!answer.ok) throw new Error(`The search index responded with ${answer.status}.`);
  return createSearch(await answer.json());
}

function countText(count: number): string {
  if (count === 0) return 'No results.';
  return count === 1 ? '1 result' : `${count} results`;
}

function optionOf({ passage, excerpt }: Found, place: number): HTMLAnchorElement {
  const option = document.createElement('a');
  option.id = `found-${place}`;
  option.href = passage.address;
  option.setAttribute('role', 'option');
  option.tabIndex = -1;
  const title = document.createElement('strong');
  title.textContent = passage.heading === '' ? passage.page : `${passage.page} › ${passage.heading}`;
  const text = document.createElement('span');
  text.textContent = excerpt;
  option.append(title, text);
  return option;
}
