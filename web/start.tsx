import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.layer.css';
import './style.css';
import { createRoot } from 'react-dom/client';
import { styleNonce } from './api/page-settings.ts';
import { App } from './app.tsx';

// The package that keeps the page still behind a dialog looks for the nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

createRoot(document.getElementById('app') as HTMLElement).render(<App />);
