import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

/**
 * Prints what a fresh process has loaded after `source`: packages and files as addresses, and modules of Node. The hook
 * sees what is imported, the list what is required.
 */
const PROBE = `
import { register, createRequire } from 'node:module';
import { MessageChannel } from 'node:worker_threads';
const { port1, port2 } = new MessageChannel();
const loaded = [];
port1.on('message', (url) => loaded.push(url));
port1.unref();
const hook = \`
  let port;
  export const initialize = (given) => { port = given; };
  export const load = (url, context, next) => { port.postMessage(url); return next(url, context); };
\`;
register('data:text/javascript,' + encodeURIComponent(hook), { data: port2, transferList: [port2] });
const before = new Set(process.moduleLoadList);
await (async () => { SOURCE })();
await new Promise((resolve) => setTimeout(resolve, 50));
const required = Object.keys(createRequire(import.meta.url).cache);
const builtin = process.moduleLoadList.filter((name) => !before.has(name));
console.log(JSON.stringify({ files: [...loaded, ...required], builtin }));
`;

function modulesOf(source: string): { files: string[]; builtin: string[] } {
  const program = PROBE.replace('SOURCE', () => source);
  const argv = ['--input-type=module', '--eval', program];
  const output = execFileSync(process.execPath, argv, { encoding: 'utf8', cwd: new URL('..', import.meta.url) });
  // What the source itself prints stands before.
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as { files: string[]; builtin: string[] };
}

const packagesOf = (files: readonly string[]): string[] => [
  ...new Set(files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [])),
];
const programs = (files: readonly string[]): string[] => files.filter((file) => file.includes('/dist/cli/'));

/** Packages that only the command needs. */
const COMMAND = ['commander', 'cli-progress', 'cli-table3', 'csv-parse', 'hyparquet-writer', 'tinyglobby'];

const NODE = `{ metadata: { name: 'a' }, status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' } } }`;
const POD = `{ metadata: { name: 'web' }, spec: { containers: [{ name: 'c' }] } }`;

describe('what an import loads', () => {
  it.each(['', '/plugins', '/testing', '/browser', '/cluster'])('%s: no package, nothing of the command', (entry) => {
    const { files } = modulesOf(`await import('kube-berth${entry}');`);
    expect(files.filter((file) => file.includes('/dist/lib/')).length).toBeGreaterThan(0);
    expect(packagesOf(files)).toEqual([]);
    expect(programs(files)).toEqual([]);
  });

  it('kube-berth-cli/apiserver: what the API needs, nothing of the command', () => {
    const { files } = modulesOf(`await import('./dist/cli/apiserver.js');`);
    expect(packagesOf(files)).toEqual(expect.arrayContaining(['selfsigned', 'yaml']));
    expect(packagesOf(files).filter((name) => COMMAND.includes(name))).toEqual([]);
    expect(programs(files).filter((file) => file.endsWith('/main.js'))).toEqual([]);
  });

  it('berth --version: one file of the library', () => {
    const { files } = modulesOf(`
      process.argv.splice(1, Infinity, 'berth', '--version');
      await import('./dist/cli/main.js');
    `);
    expect(programs(files).filter((file) => file.endsWith('/main.js'))).toHaveLength(1);
    expect(files.filter((file) => file.includes('/dist/lib/')).map((file) => file.split('/').at(-1))).toEqual([
      'start.js',
    ]);
  });

  it('the core: neither HTTP, nor threads, nor files', () => {
    const { builtin } = modulesOf(`await import('kube-berth');`);
    const heavy = /^NativeModule (?:https?|_http_\w+|tls|net|worker_threads|crypto)$/;
    expect(builtin.filter((name) => heavy.test(name))).toEqual([]);
  });

  it('a decision: still no package', () => {
    const { files } = modulesOf(`
      const { Scheduler, checkConfiguration } = await import('kube-berth');
      checkConfiguration('{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration"}');
      const scheduler = new Scheduler();
      scheduler.addNode(${NODE});
      if (scheduler.schedule(${POD}).node !== 'a') throw new Error('not placed');
    `);
    expect(packagesOf(files)).toEqual([]);
  });

  it('a configuration as YAML: its parser', () => {
    const { files } = modulesOf(`
      const { Scheduler, checkConfiguration } = await import('kube-berth');
      checkConfiguration('apiVersion: kubescheduler.config.k8s.io/v1\\nkind: KubeSchedulerConfiguration\\n');
    `);
    expect(packagesOf(files)).toEqual(['yaml']);
  });
});
