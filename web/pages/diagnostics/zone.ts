import { useEffect, useState } from 'react';
import { showTimesIn } from '../../parts/time.tsx';

const keptAs = 'leadgate.diagnostics.zone';
const utc = 'UTC';

/** Whether the times of the page are in UTC. This browser keeps it; other pages show local times. */
export function useZone(): { readonly isUtc: boolean; setUtc(isUtc: boolean): void } {
  const [isUtc, setUtc] = useState(() => {
    const isKept = localStorage.getItem(keptAs) === utc;
    show(isKept);
    return isKept;
  });
  useEffect(() => {
    show(isUtc);
    return () => showTimesIn();
  }, [isUtc]);
  return {
    isUtc,
    setUtc(isNow) {
      if (isNow) localStorage.setItem(keptAs, utc);
      else localStorage.removeItem(keptAs);
      // Before the page is rendered again.
      show(isNow);
      setUtc(isNow);
    },
  };
}

function show(isUtc: boolean): void {
  showTimesIn(isUtc ? utc : undefined);
}

/** A time as an input of type datetime-local has it. */
export function inputTime(time: number, isUtc: boolean): string {
  const offsetMs = isUtc ? 0 : new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offsetMs).toISOString().slice(0, 16);
}

/** Null while it is not a whole time. */
export function timeOfInput(text: string, isUtc: boolean): number | null {
  const time = Date.parse(isUtc ? `${text}Z` : text);
  return Number.isNaN(time) ? null : time;
}
