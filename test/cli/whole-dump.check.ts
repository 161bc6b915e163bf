import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonList, yamlList } from '../dump/kubectl-text.ts';
import { liveObjects } from '../dump/live-objects.ts';
import { NODES, pod } from './run-berth.ts';
import { type BuiltRun, runBuilt } from './run-built.ts';

const NOBODY = 65_534;
const folder = mkdtempSync(join(tmpdir(), 'berth-dump-'));
const path = (name: string) => join(folder, name);
const size = { nodes: 60, pods: 600, seed: 3 };
const json = [...jsonList(liveObjects(size))].join('');
const yaml = [...yamlList(liveObjects(size))].join('');

beforeAll(() => {
  mkdirSync(path('tree/deeper'), { recursive: true });
  writeFileSync(path('tree/nodes.yaml'), NODES);
  writeFileSync(path('tree/notes.txt'), 'not a manifest');
  writeFileSync(path('tree/deeper/a.yml'), pod('a', '1'));
  writeFileSync(path('tree/deeper/b.json.gz'), gzipSync(JSON.stringify({ kind: 'PodList', items: [] })));
  mkdirSync(path('empty'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const schedule = (...argv: string[]) => runBuilt(['schedule', ...argv], { cwd: folder });
const lastLine = ({ err }: { readonly err: string }) => err.trimEnd().split('\n').at(-1);

describe('a dump of a live cluster', () => {
  it('is scheduled as it comes from kubectl, JSON or YAML, compressed or not', async () => {
    const inputs = [json, yaml, gzipSync(json)];
    const runs = await Promise.all(inputs.map((input) => runBuilt(['schedule', '-f', '-'], { input })));
    for (const { code, out, err } of runs) {
      expect(out).toBe(runs[0]?.out);
      expect(code).toBe(0);
      expect(err).toMatch(
        /^warning: left out 400 objects of 2 kinds: 200 ConfigMap, 200 Ingress\n60 of 60 pods placed/,
      );
    }
  });

  it('is simulated as it comes from kubectl', async () => {
    const { code, out, err } = await runBuilt(['simulate', '-f', '-', '--until', '30s'], { input: yaml });
    expect(err).toMatch(/^warning: left out 400 objects of 2 kinds: 200 ConfigMap, 200 Ingress\n/);
    expect(out).toMatch(/^pods running at the end +\d+$/m);
    expect(code).toBe(0);
  });

  it('is refused with --strict, which names the first object without a meaning here', async () => {
    const { code, out, err } = await runBuilt(['schedule', '--strict', '-f', '-'], { input: json });
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^error: stdin: items\[\d+\]: kind "ConfigMap" is not supported \(known: .*\n$/);
  });

  it('may have pods that cannot run: deleted, finished, mirrored, on nodes that are gone', async () => {
    const objects = [
      pod('gone', '1', 'nodeName: lost, '),
      pod('done', '9', 'nodeName: n1, ').replace('---', 'status: {phase: Succeeded}\n---'),
      pod('ending', '2', 'nodeName: n1, ').replace(
        '{name: ending}',
        '{name: ending, deletionTimestamp: 2026-01-01T00:00:00Z}',
      ),
      pod('dropped', '1').replace('{name: dropped}', '{name: dropped, deletionTimestamp: 2026-01-01T00:00:00Z}'),
      pod('mirror', '1', 'nodeName: n2, ').replace(
        '{name: mirror}',
        '{name: mirror, annotations: {kubernetes.io/config.mirror: x}}',
      ),
      pod('new', '1'),
      pod('newer', '1'),
    ];
    writeFileSync(path('states.yaml'), NODES + objects.join(''));
    const { code, out, err } = await schedule('-f', 'states.yaml');
    // The pod that is being deleted still fills n1, the mirrored one half of n2.
    expect(out).toMatch(/new +scheduled +n2 *\n.*newer +unschedulable/);
    expect(code).toBe(2);
    expect(err).toContain(
      'warning: 1 pod is on a node that is not in the input, and counts nowhere (Pod default/gone on "lost")\n',
    );
    expect(err).toContain('warning: passed over 1 pending pods that are being deleted\n');
  });
});

describe('the names of -f', () => {
  it('are files, folders, patterns, and several of them', async () => {
    expect(lastLine(await schedule('-f', 'tree/nodes.yaml,tree/deeper/a.yml'))).toMatch(
      /^1 of 1 pods placed on 2 nodes/,
    );
    expect(lastLine(await schedule('-f', 'tree/*.yaml', '-f', 'tree/deeper/*.yml'))).toMatch(
      /^1 of 1 pods placed on 2/,
    );
    expect(lastLine(await schedule('-f', 'tree'))).toMatch(/^0 of 0 pods placed on 2 nodes/);
    expect(lastLine(await schedule('-R', '-f', 'tree'))).toMatch(/^1 of 1 pods placed on 2 nodes/);
  });

  it('are refused in one line when there is nothing behind them', async () => {
    const cases = [
      [['-f', 'nothing*.yaml'], 'error: nothing*.yaml: no file matches\n'],
      [['-f', 'empty'], /^error: empty: holds no manifests, .*\(-R looks into the folders inside\)\n$/],
      [['-f', 'no.yaml'], 'error: no.yaml: no such file\n'],
      [['-f', 'http://127.0.0.1:1/x.yaml'], /^error: http:.*: cannot be read \(.*\)\n$/],
      [['-k', 'empty'], /^error: empty: cannot be built by kubectl kustomize: .*\n$/],
      [[], /^error: there is no input: .*\n$/],
    ] as const;
    const runs = await Promise.all(cases.map(([argv]) => schedule(...argv)));
    for (const [i, [, message]] of cases.entries()) {
      const { code, out, err } = runs[i] as BuiltRun;
      expect([code, out]).toEqual([1, '']);
      if (typeof message === 'string') expect(err).toBe(message);
      else expect(err).toMatch(message);
    }
  });

  it('may be URLs', async () => {
    const server = createServer(({ url }, response) => {
      response.statusCode = url === '/all.yaml' ? 200 : 404;
      response.end(NODES + pod('a', '1'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      expect(lastLine(await schedule('-f', `${base}/all.yaml`))).toMatch(/^1 of 1 pods placed on 2 nodes/);
      expect((await schedule('-f', `${base}/no.yaml`)).err).toBe(
        `error: ${base}/no.yaml: the server answered 404 Not Found\n`,
      );
    } finally {
      server.close();
    }
  });

  it('may be a kustomization, when kubectl is there', async () => {
    const bin = path('bin');
    mkdirSync(bin);
    writeFileSync(path('tree/kustomization.yaml'), 'resources: [nodes.yaml, deeper/a.yml]\n');
    writeFileSync(join(bin, 'kubectl'), '#!/bin/sh\n[ "$1" = kustomize ] && cat "$2/nodes.yaml" "$2/deeper/a.yml"\n');
    chmodSync(join(bin, 'kubectl'), 0o755);
    const env = { PATH: `${bin}:${process.env['PATH']}` };
    const run = await runBuilt(['schedule', '-k', 'tree'], { cwd: folder, env });
    expect(lastLine(run)).toMatch(/^1 of 1 pods placed on 2 nodes/);
    const without = await runBuilt(['schedule', '-k', 'tree'], { cwd: folder, env: { PATH: path('empty') } });
    expect(without).toMatchObject({
      code: 1,
      err: 'error: tree: cannot be built by kubectl kustomize: kubectl is not there\n',
    });
  });
});

describe('hostile input', () => {
  it.concurrent.each<[string, string | Uint8Array, RegExp]>([
    ['half a gzip', gzipSync(json).subarray(0, 3000), /^error: stdin: damaged gzip data: unexpected end of file\n$/],
    ['lists in lists', '{"kind":"List","items":['.repeat(20_000), /^error: stdin:1:\d+: malformed JSON: it ends .*\n$/],
    [
      'deep lists',
      `kind: Pod\nmetadata: ${'['.repeat(20_000)}\n`,
      /^error: stdin:\d+:\d+: malformed YAML: nested too deeply\n$/,
    ],
    [
      'cyclic aliases',
      'kind: List\nitems: &a\n- kind: List\n  items: *a\n',
      /^error: stdin: .*nested too deeply, or contains itself\n$/,
    ],
    [
      'a name of 5 MB',
      JSON.stringify({ kind: 'Node', metadata: { name: 'x'.repeat(5e6) } }),
      /^error: stdin: Node "x+….{0,200}\n$/,
    ],
    [
      'control characters',
      'kind: Node\nmetadata: {name: "\\e[31mred"}\n',
      /^error: stdin: Node "\\u001b\[31mred": .*\n$/,
    ],
    [
      'duplicate keys',
      '{"kind":"Node","metadata":{"name":"a","name":"b"}}',
      /the key metadata\.name is there twice\n$/,
    ],
  ])('%s: one line and exit code 1', async (_, input, message) => {
    const { code, out, err } = await runBuilt(['schedule', '-f', '-'], { input });
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(message);
    expect(err.split('\n')).toHaveLength(2);
  });

  // Root may read everything, so that somebody else has to try.
  const uid = process.getuid?.() === 0 ? NOBODY : undefined;
  const FOLDERS = [
    ['schedule', '-f'],
    ['schedule', '-k'],
    ['schedule', '-R', '-f', 'tree', '-f'],
    ['simulate', '--until', '1m', '-f'],
    ['simulate', '--until', '1m', '-k'],
    ['bench', '-f'],
    ['bench', '-k'],
    ['serve', '-f'],
    ['serve', '-k'],
    ['what-if', '--lose', 'zone=a', '-f'],
    ['explain', 'web', '-f'],
  ];
  const FILES = [
    ['schedule', '-f', 'tree', '--config'],
    ['simulate', '--nodes', '1', '--workload'],
    ['simulate', '--nodes', '1', '--faults'],
    ['simulate', '--openb', 'tree/nodes.yaml'],
    ['simulate', '--replay'],
    ['bench', '--perf-config'],
    ['sweep', '--seeds', '1', '-o', 'no.ndjson', '--config'],
    ['import-openb', 'tree/nodes.yaml'],
    ['serve', '--token-file'],
    ['serve', '--snapshot'],
    ['clock', '--kubeconfig'],
  ];

  it('an unreadable folder: one line in every command that takes input', async () => {
    mkdirSync(path('locked'), { mode: 0 });
    chmodSync(folder, 0o755);
    const cases = [
      ...FOLDERS.map((argv) => ({ argv: [...argv, 'locked'], name: 'locked' })),
      ...['schedule', 'simulate'].map((command) => ({
        argv: [command, '-f', '*/*.yaml'],
        name: 'locked',
      })),
      ...FILES.map((argv) => ({ argv: [...argv, 'locked/x'], name: 'locked/x' })),
      { argv: ['bench', 'compare', 'locked/x', 'locked/y'], name: 'locked/x' },
      { argv: ['scheduler', '--kubeconfig', 'locked/x'], name: 'kubeconfig locked/x' },
    ];
    for (let i = 0; i < cases.length; i += 4) {
      await Promise.all(
        cases.slice(i, i + 4).map(async ({ argv, name }) => {
          const { code, out, err } = await runBuilt(argv, { cwd: folder, uid });
          const remark = argv[0] === 'clock' ? '; berth serve writes it' : '';
          const expected = { code: 1, out: '', err: `error: ${name}: permission denied${remark}\n` };
          expect({ argv, code, out, err }).toEqual({ argv, ...expected });
        }),
      );
    }
  });
});
