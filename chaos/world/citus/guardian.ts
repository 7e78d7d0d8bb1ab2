import { spawn } from 'node:child_process';

/**
 * Waits until this process has ended, however that happens, and stops the servers of a cluster that it left running. A
 * server's working directory is its data directory, so a process that has got the ID of a stopped one is left alone.
 */
const script = `
cat > /dev/null
for file in "$0"/*/postgres/postmaster.pid; do
  pid=$(head -n 1 "$file" 2> /dev/null) || continue
  [ "$(readlink "/proc/$pid/cwd")" = "$(dirname "$file")" ] && kill -QUIT "$pid"
done`;

export function stopWithUs(clusterDir: string): void {
  // In its own group, so that Ctrl-C does not reach it.
  const guardian = spawn('sh', ['-c', script, clusterDir], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guardian.unref();
  // The pipe must stay open, but must not keep us running.
  (guardian.stdin as unknown as { unref(): void }).unref();
}
