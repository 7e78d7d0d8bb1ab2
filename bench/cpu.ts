import { readdirSync, readFileSync } from 'node:fs';

/** Seconds of processor time since the processes started. */
export interface CpuSeconds {
  readonly node: number;
  readonly postgres: number;
}

// Linux counts in hundredths of a second.
const ticksPerSecond = 100;

interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  readonly ticks: number;
}

/** What a process and all processes below it have used. Linux only. */
export function cpuOf(pid: number): CpuSeconds {
  const all = running();
  const family = new Set([pid]);
  // One pass per generation: the supervisor or the service, PostgreSQL, and its connections.
  for (let pass = 0; pass < 3; pass++)
    for (const { pid: own, parent } of all) if (family.has(parent)) family.add(own);
  const seconds = { node: 0, postgres: 0 };
  for (const { pid: own, name, ticks } of all)
    if (family.has(own)) seconds[name === 'postgres' ? 'postgres' : 'node'] += ticks / ticksPerSecond;
  return seconds;
}

/** What several processes, and all processes below them, have used. */
export function cpuOfAll(pids: readonly number[]): CpuSeconds {
  return pids.map(cpuOf).reduce((sum, one) => ({
    node: sum.node + one.node,
    postgres: sum.postgres + one.postgres,
  }));
}

/** The resident memory of each process, in megabytes. */
export function memoryOf(pids: readonly number[]): number[] {
  return pids.map((pid) => {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Math.round(Number(kilobytes ?? 0) / 1000);
  });
}

/** The Node processes that a process has started. */
export function nodeChildrenOf(pid: number): number[] {
  const isWorker = ({ parent, pid: own }: Running) => parent === pid && commandOf(own).includes('main.ts');
  return running()
    .filter(isWorker)
    .map(({ pid: own }) => own);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

function running(): Running[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      return [readStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))];
    } catch {
      // It has ended in the meantime.
      return [];
    }
  });
}

/** The name is in brackets and may contain anything. */
function readStat(stat: string): Running {
  const [, pid, name = '', rest = ''] = /^(\d+) \((.*)\) (.*)$/s.exec(stat) ?? [];
  const fields = rest.split(' ');
  return {
    pid: Number(pid),
    parent: Number(fields[1]),
    name,
    // Its own, and those of its children that have ended: connections come and go.
    ticks: fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
  };
}

/** Call the result for the share of the processor's time that the host has given to others since. */
export function stolenShare(): () => number {
  const read = () => {
    const times = readFileSync('/proc/stat', 'utf8')
      .split('\n')[0]
      ?.trim()
      .split(/ +/)
      .slice(1, 9)
      .map(Number);
    return { all: (times ?? []).reduce((sum, one) => sum + one, 0), stolen: times?.[7] ?? 0 };
  };
  const before = read();
  return () => {
    const now = read();
    return (now.stolen - before.stolen) / Math.max(1, now.all - before.all);
  };
}
