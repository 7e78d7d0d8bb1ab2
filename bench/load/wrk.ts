import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../targets/child.ts';
import { type RequestParts, requestParts } from './lead.ts';
import { type Figures, type Load, settleMs } from './load.ts';

const threads = 2;

export async function runWrk(load: Load, scratchDir: string): Promise<Figures> {
  const script = join(scratchDir, `${load.runId}.lua`);
  await writeFile(script, luaScript(load));
  const output = await runCommand('wrk', [
    `-t${threads}`,
    `-c${load.connections}`,
    `-d${load.seconds}s`,
    '--latency',
    `-s${script}`,
    `http://127.0.0.1:${load.port}/`,
  ]);
  return readFigures(output);
}

/** wrk passes exact numbers to `done`; its printed summary is rounded. */
function readFigures(output: string): Figures {
  const line = output.split('\n').find((text) => text.startsWith('figures '));
  if (line === undefined) throw new Error(`wrk printed no figures:\n${output}`);
  const [requests, durationUs, p50Us, p99Us, failures] = line.split(' ').slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return {
    requests,
    rate: requests / (durationUs / 1e6 - settleMs / 1e3),
    p50Ms: p50Us / 1000,
    p99Ms: p99Us / 1000,
    failures,
  };
}

/**
 * All text is prepared before the run: wrk shares the processor with the target, so a request should cost no more than a
 * random number and, with a key, one concatenation.
 */
function luaScript(load: Load): string {
  const parts = load.tokens.map((token, number) => requestParts(load.port, token, number));
  return `
local plain = ${luaTable(parts, 'plain')}
local keyed = ${luaTable(parts, 'keyed')}
local rest = ${luaTable(parts, 'rest')}
local count, random, sent = #plain, math.random, 0
local thread_count = 0
local ffi = require("ffi")
ffi.cdef("int usleep(unsigned int);")

function setup(thread)
  thread_count = thread_count + 1
  thread:set("thread_id", thread_count)
end

function init()
  math.randomseed(thread_id)
  prefix = "${load.runId}-" .. thread_id .. "-"
end

function request()
  local i = random(count)
  sent = sent + 1
  -- wrk may call this once to test the script, before it connects.
  if sent == 2 then ffi.C.usleep(${settleMs * 1000}) end
  if sent % 2 == 0 then return plain[i] end
  return keyed[i] .. prefix .. sent .. rest[i]
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format("figures %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.timeout + e.status))
end
`;
}

/** Lua reads the escapes of ASCII strings like JSON. */
function luaTable(parts: readonly RequestParts[], part: keyof RequestParts): string {
  return `{\n${parts.map((each) => JSON.stringify(each[part])).join(',\n')}\n}`;
}
