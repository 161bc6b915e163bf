import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { RealEventLoop } from '../../../src/lib/event-loop.ts';
import { kubectlPath } from '../../cli/kubectl.ts';
import { type Ended, runProgram } from '../../clients/run-program.ts';
import { writeFiles } from '../../clients/write-files.ts';
import type { Difference } from '../differences.ts';
import type { KubectlCase } from './kubectl-case.ts';
import { TextNormaliser } from './normalise-text.ts';

const LOOP = new RealEventLoop((error) => {
  throw error;
});

/** Plays a session with the real kubectl, up to the first command whose outcome is not as recorded. */
export async function playSession(session: KubectlCase, port: number): Promise<Difference[]> {
  const directory = mkdtempSync(join(tmpdir(), 'berth-kubectl-'));
  const outside = mkdtempSync(join(tmpdir(), 'berth-kubeconfig-'));
  const kubeconfig = join(outside, 'config');
  writeFileSync(kubeconfig, kubeconfigText(port));
  const normaliser = new TextNormaliser({ directory, port, nowMillis: LOOP.nowMillis() });
  try {
    for (const [i, step] of session.steps.entries()) {
      if ('files' in step) {
        writeFiles(directory, step.files);
        continue;
      }
      const got = await run(normaliser.filledIn(step.cmd), directory, kubeconfig);
      const found: Difference[] = [];
      const compare = (field: string, expected: unknown, value: unknown): void => {
        if (expected !== value) found.push({ field: `steps[${i}] ${step.cmd} ${field}`, expected, got: value });
      };
      const shown = (text: string): string => (/\bdrain\b/.test(step.cmd) ? inOrder(text) : text);
      compare('exit', step.exit, got.exit);
      compare('stdout', shown(comparable(step.stdout)), shown(comparable(normaliser.text(got.stdout))));
      compare('stderr', shown(comparable(step.stderr)), shown(comparable(normaliser.text(got.stderr))));
      if (found.length > 0) return found;
    }
    return [];
  } finally {
    rmSync(directory, { recursive: true, force: true });
    rmSync(outside, { recursive: true, force: true });
  }
}

/**
 * What depends on the day, on the release of the client, and on which of two ends of a watch its client sees first: an
 * age at the very beginning, the client's version, and the log lines of a watch that was given up.
 */
function comparable(text: string): string {
  return text
    .replace(/^(?:\d+y\d+d|<age>)( *)(?=\s)/, (_, blanks: string) => (blanks === '' ? '<age>' : '<age>   '))
    .replace(/(Client Version: |"gitVersion": ")v1\.36\.\d+/g, '$1v1.36.x')
    .replace(/^[IE]<klog> reflector\.go:.*\n/gm, '');
}

/**
 * What a drain says, in an order of our own: evictions run side by side, so that its lines come in any order, and
 * kubectl takes the reasons why it cannot drain a node (`[cannot delete …, cannot delete …]`) from a map.
 */
function inOrder(text: string): string {
  const withReasons = text.replace(/\[(cannot delete .*)\]/g, (_, reasons: string) => {
    const sorted = reasons.split(/, (?=cannot delete )/).sort();
    return `[${sorted.join(', ')}]`;
  });
  return withReasons.split('\n').sort().join('\n');
}

function run(command: string, directory: string, kubeconfig: string): Promise<Ended> {
  const env = {
    PATH: `${dirname(kubectlPath())}:${process.env['PATH'] ?? ''}`,
    KUBECONFIG: kubeconfig,
    HOME: directory,
    TZ: 'UTC',
  };
  return runProgram('bash', ['-c', command], { cwd: directory, env });
}

function kubeconfigText(port: number): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'peer', cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name: 'admin', user: {} }],
    contexts: [{ name: 'peer', context: { cluster: 'peer', user: 'admin' } }],
    'current-context': 'peer',
  });
}
