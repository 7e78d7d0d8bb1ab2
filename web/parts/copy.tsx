import { ActionIcon, Box, Button, Popover, Text, Textarea, Tooltip } from '@mantine/core';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { copyToClipboard } from './code/copy-to-clipboard.ts';
import { Icon } from './icons.tsx';

const shownMs = 1_500;
const keys = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘C' : 'Ctrl+C';

interface Copying {
  readonly isCopied: boolean;
  copy(event: { readonly currentTarget: HTMLElement }): void;
}

/**
 * A button that copies. If the browser refuses, the text is shown and selected, so that the keys for copying work. Says
 * that it copied only if it did.
 */
function Copy({ value, children }: { value: string; children: (copying: Copying) => ReactElement }) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  const button = useRef<HTMLElement>(null);
  useEffect(() => {
    if (state !== 'copied') return;
    const timer = setTimeout(() => setState('idle'), shownMs);
    return () => clearTimeout(timer);
  }, [state]);
  const close = (next: 'idle' | 'copied') => {
    setState(next);
    button.current?.focus();
  };
  const copy: Copying['copy'] = ({ currentTarget }) => {
    button.current = currentTarget;
    void copyToClipboard(value, currentTarget).then((isDone) => setState(isDone ? 'copied' : 'refused'));
  };
  return (
    // Not in a portal: inside a dialog, the focus has to stay there.
    <Popover
      opened={state === 'refused'}
      onChange={(isOpen) => !isOpen && setState('idle')}
      withinPortal={false}
      // A table that scrolls would cut it off.
      floatingStrategy="fixed"
      withRoles={false}
      position="bottom-end"
      width={320}
      shadow="md"
    >
      <Popover.Target>
        <Box component="span" display="inline-flex">
          {children({ isCopied: state === 'copied', copy })}
          <span className="only-read" aria-live="polite">
            {state === 'copied' ? 'Copied' : ''}
          </span>
        </Box>
      </Popover.Target>
      <Popover.Dropdown p="sm">
        <SelectedText value={value} onClose={close} />
      </Popover.Dropdown>
    </Popover>
  );
}

function SelectedText({ value, onClose }: { value: string; onClose: (next: 'idle' | 'copied') => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <Text size="sm" mb={6} role="alert">
        The browser did not allow copying. Press {keys} to copy.
      </Text>
      <Textarea
        ref={field}
        aria-label="Text to copy"
        value={value}
        readOnly
        autosize
        maxRows={6}
        onFocus={(event) => event.currentTarget.select()}
        onCopy={(event) => {
          const { selectionStart, selectionEnd, textLength } = event.currentTarget;
          if (selectionEnd - selectionStart < textLength) return;
          event.clipboardData.setData('text/plain', value);
          event.preventDefault();
          onClose('copied');
        }}
        onKeyDown={(event) => event.key === 'Escape' && onClose('idle')}
        // Escape closes only this, not the dialog around it.
        data-mantine-stop-propagation="true"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12.5 } }}
      />
    </>
  );
}

export function CopyIcon({ value, label }: { value: string; label: string }) {
  return (
    <Copy value={value}>
      {({ isCopied, copy }) => (
        <Tooltip label={isCopied ? 'Copied' : label}>
          <ActionIcon variant="subtle" color={isCopied ? 'teal' : 'gray'} onClick={copy} aria-label={label}>
            <Icon name={isCopied ? 'check' : 'copy'} size={15} />
          </ActionIcon>
        </Tooltip>
      )}
    </Copy>
  );
}

export function CopyText({ value, children }: { value: string; children: string }) {
  return (
    <Copy value={value}>
      {({ isCopied, copy }) => (
        <Button
          variant="default"
          size="xs"
          onClick={copy}
          leftSection={<Icon name={isCopied ? 'check' : 'copy'} size={14} />}
        >
          {isCopied ? 'Copied' : children}
        </Button>
      )}
    </Copy>
  );
}

interface CodeBlockProps {
  readonly code: string;
  readonly label: string;
  readonly maxHeight?: number;
  /** True for texts with long lines, which are broken then. */
  readonly wraps?: boolean;
}

/** A block of code with a copy button beside it, where it covers no line. Nothing in the text is interpreted. */
export function CodeBlock({ code, label, maxHeight, wraps = false }: CodeBlockProps) {
  return (
    <div className="code-block">
      <Box
        component="pre"
        role="region"
        aria-label={label}
        tabIndex={0}
        style={{ maxHeight }}
        {...(wraps ? { className: 'wrap' } : {})}
      >
        {code}
      </Box>
      <Box p={8}>
        <CopyIcon value={code} label={`Copy ${label}`} />
      </Box>
    </div>
  );
}
