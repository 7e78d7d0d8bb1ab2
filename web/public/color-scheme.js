// Runs before the first paint, so that a dark page never flashes white. Mantine keeps the choice under this key.
const chosenScheme = localStorage.getItem('mantine-color-scheme-value');
const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches;
const isDarkScheme = chosenScheme === 'dark' || (chosenScheme !== 'light' && prefersDark);
document.documentElement.setAttribute('data-mantine-color-scheme', isDarkScheme ? 'dark' : 'light');
