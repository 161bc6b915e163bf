import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { NODES, pod } from './run-berth.ts';
import { MAIN, runBuilt } from './run-built.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-manners-'));
const path = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

/** This many pods are so many that scheduling them with the reference engine takes minutes. */
const LONG =
  Array.from({ length: 500 }, (_, i) => NODES.split('---\n')[0]?.replace('n1', `m${i}`)).join('---\n') +
  '---\n' +
  Array.from({ length: 4000 }, (_, i) => pod(`p${i}`, '1m')).join('');
writeFileSync(path('long.yaml'), LONG);
writeFileSync(path('c.yaml'), NODES + pod('a', '1'));
/** Something happens every minute: waiting alone takes no time. */
const EVERY_MINUTE =
  'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a}\n' +
  `spec:\n  schedule: '* * * * *'\n  jobTemplate:\n    spec:\n` +
  '      template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}\n';
writeFileSync(path('endless.yaml'), NODES + EVERY_MINUTE);

/** Runs the command, and sends the signal as soon as standard error matches, or after the time. */
function interrupted(
  argv: readonly string[],
  signal: 'SIGINT' | 'SIGTERM',
  after: string,
  delaySeconds = 0,
  times = 1,
) {
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = spawn('bash', ['-c', `exec "$0" "$@"`, process.execPath, MAIN, ...argv], { cwd: folder });
    let out = '';
    let err = '';
    let isSent = false;
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString();
      if (isSent || !err.includes(after)) return;
      isSent = true;
      const kill = `kill -${signal.slice(3)} ${child.pid}`;
      if (delaySeconds === 0 && times === 1) child.kill(signal);
      else spawn('sh', ['-c', [`sleep ${delaySeconds}`, ...Array(times).fill(kill)].join('; sleep 0.05; ')]);
    });
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

describe('Ctrl-C and SIGTERM', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('print what there is, and %s exits with %i', async (signal, exitCode) => {
    const argv = ['schedule', '-f', 'long.yaml', '--engine', 'reference', '--log-level', 'info', '--no-headers'];
    const { code, out, err } = await interrupted(argv, signal, 'set up');
    expect(code).toBe(exitCode);
    const lines = out.trimEnd().split('\n').length;
    expect(lines).toBeGreaterThan(0);
    expect(lines).toBeLessThan(4000);
    expect(err).toMatch(/\d+ of 4000 pods placed on 500 nodes, \d+ not placed, .*\ninterrupted\n$/);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('end what-if, and %s exits with %i', async (signal, exitCode) => {
    writeFileSync(path('one.yaml'), pod('one', '1m'));
    const argv = ['what-if', '-f', 'long.yaml', '--fit', 'one.yaml', '--engine', 'reference', '--log-level', 'info'];
    const { code, err } = await interrupted(argv, signal, 'set up');
    expect(code).toBe(exitCode);
    expect(err).toMatch(/interrupted\n$/);
  });

  it('keep what was measured', async () => {
    const argv = [
      'bench',
      '--kind',
      'basic',
      '--nodes',
      '1000,5000,1000',
      '--pods',
      '600',
      '-o',
      'json',
      '--report',
      'r.html',
    ];
    const { code, out, err } = await interrupted(argv, 'SIGINT', 'the reference engine places the first');
    expect(code).toBe(130);
    expect(err).toMatch(/interrupted: what was measured is printed\n$/);
    const { results } = JSON.parse(out);
    expect(results.length).toBeGreaterThan(0);
    expect(results.length).toBeLessThan(9);
    expect(readFileSync(path('r.html'), 'utf8')).toContain('</html>');
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('keep what was simulated: %s exits with %i', async (signal, exitCode) => {
    const record = `${signal}.gz`;
    const argv = ['simulate', '-f', 'endless.yaml', '--until', '1000000h', '--log-level', 'info'];
    const outputs = ['--record', record, '--report', `${signal}.html`];
    const { code, out, err } = await interrupted([...argv, ...outputs], signal, 'simulation begins', 0.3);
    expect(code).toBe(exitCode);
    expect(out).toMatch(/^ended +interrupted after \S+ \(it was interrupted\)$/m);
    expect(err).toMatch(/^simulated \S+ in .*$/m);
    expect(readFileSync(path(`${signal}.html`), 'utf8')).toContain('</html>');
    // The recording is complete up to there, and can be played again.
    const replay = await runBuilt(['simulate', '--replay', record], { cwd: folder });
    expect(replay.err).toMatch(new RegExp(`${record}: \\d+ lines as recorded`));
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('keep the runs of a sweep: %s exits with %i', async (signal, exitCode) => {
    const results = `${signal}.ndjson`;
    const cluster = ['--nodes', '1000', '--pods', '5000', '--seeds', '1..100000', '--workers', '1'];
    const argv = ['sweep', ...cluster, '-o', results, '--log-level', 'info'];
    const { code, out, err } = await interrupted(argv, signal, 'sweep begins', 1.5);
    expect([code, out]).toEqual([exitCode, '']);
    const lines = readFileSync(path(results), 'utf8').trimEnd().split('\n').slice(1);
    expect(lines.map((line) => JSON.parse(line).run)).toEqual(lines.map((_, i) => i + 1));
    const missing = 100_000 - lines.length;
    expect(err).toContain(`${lines.length} of 100000 runs, in `);
    expect(err).toContain(`interrupted: ${missing} runs are missing, --resume goes on with ${results}\n`);
  });

  it('may come twice, as npx sends them', async () => {
    const argv = ['schedule', '-f', 'long.yaml', '--engine', 'reference', '--log-level', 'info', '--no-headers'];
    const { code, out, err } = await interrupted(argv, 'SIGINT', 'set up', 0, 2);
    expect(code).toBe(130);
    expect(out).toMatch(/^default +p0 +scheduled /);
    expect(err).toMatch(/interrupted\n$/);
  });

  it("of kube-scheduler's benchmark name the workloads that did not end", async () => {
    const workload = (name: string, pods: number) => `  - name: ${name}\n    params: {nodes: 20, pods: ${pods}}\n`;
    const steps = `  workloadTemplate:
  - {opcode: createNodes, countParam: $nodes}
  - {opcode: createPods, countParam: $pods, collectMetrics: true}
  workloads:
${workload('First', 10)}${workload('Endless', 1_000_000)}${workload('Never', 10)}`;
    writeFileSync(
      path('pod.yaml'),
      'kind: Pod\nmetadata: {generateName: p-}\nspec: {containers: [{name: c, image: i}]}\n',
    );
    writeFileSync(path('perf.yaml'), `- name: Basic\n  defaultPodTemplatePath: pod.yaml\n${steps}`);
    const argv = ['bench', '--perf-config', 'perf.yaml', '-o', 'json', '--log-level', 'info'];
    const { code, out, err } = await interrupted(argv, 'SIGTERM', 'set up', 5);
    const { results, notRun } = JSON.parse(out);
    expect(results.map(({ name }: { name: string }) => name)).toEqual(['Basic/First']);
    expect(notRun.map(({ name }: { name: string }) => name)).toEqual(['Basic/Endless', 'Basic/Never']);
    expect(err).toMatch(/interrupted: what was measured is printed\n$/);
    expect(code).toBe(143);
  });

  it('in a terminal leave no bar and no hidden cursor', () => {
    // `script` gives the command a terminal of its own; `timeout` presses Ctrl-C.
    const pressed = 'timeout --preserve-status -s INT 2';
    const command = `${pressed} ${process.execPath} ${MAIN} schedule -f long.yaml --engine reference; echo code=$?`;
    const seen = execFileSync('script', ['-qec', command, '/dev/null'], {
      cwd: folder,
      env: { ...process.env, TERM: 'xterm' },
    });
    const text = seen.toString();
    expect(text).toMatch(/interrupted\r?\n(?:.*\n)?code=130/);
    expect(text).not.toContain('\u001b[?25l');
  });
});

describe('files that are written', () => {
  it('take the place of their target when they are complete, also behind a link', async () => {
    writeFileSync(path('target.json'), 'from before');
    symlinkSync('target.json', path('link.json'));
    const { code } = await runBuilt(['schedule', '-f', 'c.yaml', '--trace', 'link.json'], { cwd: folder });
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(path('target.json'), 'utf8'))).toHaveProperty('traceEvents');
    writeFileSync(path('target.json'), 'from before');
    const failed = await runBuilt(['bench', '--report', 'target.json', '--config', 'no.yaml', '-f', 'c.yaml'], {
      cwd: folder,
    });
    expect(failed.code).toBe(1);
    expect(readFileSync(path('target.json'), 'utf8')).toBe('from before');
    expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
  });

  it('are refused when they are inputs, under whatever name, or links to nothing', async () => {
    const before = readFileSync(path('c.yaml'), 'utf8');
    symlinkSync('c.yaml', path('same.yaml'));
    symlinkSync('nowhere.json', path('dangling.json'));
    const run = (output: string) => runBuilt(['schedule', '-f', 'c.yaml', '--trace', output], { cwd: folder });
    expect((await run('same.yaml')).err).toBe('error: same.yaml: is an input and an output (as c.yaml)\n');
    expect((await run('c.yaml')).err).toBe('error: c.yaml: is an input and an output\n');
    expect((await run('dangling.json')).err).toBe('error: dangling.json: is a link to a file that does not exist\n');
    expect(readFileSync(path('c.yaml'), 'utf8')).toBe(before);
  });

  it('are two files, not one', async () => {
    const bench = ['bench', '--kind', 'basic', '--nodes', '5', '--pods', '5', '--engine', 'simd', '--repeat', '1'];
    const runs = await Promise.all([
      runBuilt(['simulate', '-f', 'c.yaml', '--report', 'both', '--record', './both'], { cwd: folder }),
      runBuilt([...bench, '--report', 'both', '--trace', 'both'], { cwd: folder }),
    ]);
    expect(runs.map(({ code, out, err }) => [code, out, err])).toEqual([
      [1, '', 'error: ./both: is the name of two outputs\n'],
      [1, '', 'error: both: is the name of two outputs\n'],
    ]);
    expect(readdirSync(folder)).not.toContain('both');
  });

  it('are refused by berth serve, too, before it serves', async () => {
    writeFileSync(path('api.yaml'), NODES.replaceAll('kind: Node', 'apiVersion: v1\nkind: Node'));
    symlinkSync('api.yaml', path('api-link.yaml'));
    const before = readFileSync(path('api.yaml'), 'utf8');
    const serve = (...argv: string[]) => runBuilt(['serve', '-f', 'api.yaml', ...argv], { cwd: folder });
    const cases = [
      [['--kubeconfig', 'api.yaml'], 'api.yaml: is an input and an output'],
      [['--record', 'api-link.yaml'], 'api-link.yaml: is an input and an output (as api.yaml)'],
      [['--snapshot', 'api.yaml'], 'api.yaml: is an input and an output'],
      [['--record', 'x', '--kubeconfig', 'x'], 'x: is the name of two outputs'],
      [['--record', 'no/x'], 'no/x: no such folder'],
      [['--snapshot', 'no/x'], 'no/x: no such folder'],
      [['--kubeconfig', '/dev/full'], '/dev/full: no space is left'],
      [['--data', 'c.yaml'], 'c.yaml: is a file, not a directory'],
    ] as const;
    const runs = await Promise.all(cases.map(([argv]) => serve(...argv)));
    expect(runs.map(({ code, out, err }) => [code, out, err])).toEqual(
      cases.map(([, message]) => [1, '', `error: ${message}\n`]),
    );
    expect(readFileSync(path('api.yaml'), 'utf8')).toBe(before);
  });

  it('may be a full disk or a closed pipe: one line', () => {
    const shell = (command: string) =>
      execFileSync('bash', ['-c', `${command}; echo "code $?"`], { cwd: folder, encoding: 'utf8' });
    const berth = `${process.execPath} ${MAIN}`;
    expect(shell(`${berth} schedule -q -f c.yaml 2>&1 >/dev/full`)).toBe(
      'error: standard output: no space is left\ncode 1\n',
    );
    expect(shell(`${berth} schedule -f c.yaml --trace /dev/full 2>&1 >/dev/null`)).toMatch(
      /^error: \/dev\/full: no space is left\ncode 1\n$/,
    );
    expect(shell(`${berth} schedule -q -f long.yaml 2>&1 | head -n 1`)).toMatch(/^NAMESPACE .*\ncode 0\n$/);
  });
});

it('names of files cannot forge lines of a terminal', async () => {
  const { err } = await runBuilt(['schedule', '-f', 'a\u001b[31m\nerror: forged.yaml'], { cwd: folder });
  expect(err).toBe('error: a\\u001b[31m error: forged.yaml: no file matches\n');
});

describe('a terminal', () => {
  it('gets tables that fit', () => {
    const command = `stty cols 70; ${process.execPath} ${MAIN} schedule -f wide.yaml`;
    writeFileSync(path('wide.yaml'), NODES + pod('big', '9'));
    const lines = () =>
      execFileSync('script', ['-qec', `${command}; true`, '/dev/null'], { cwd: folder })
        .toString()
        .split(/\r?\n/);
    const row = lines().find((line) => line.startsWith('default')) as string;
    expect([...row].length).toBe(70);
    expect(row).toMatch(/^default +big +unschedulable +<none> +0\/2 nodes are.*…$/);
  });
});

describe('tables of figures', () => {
  it('fit, too: text is cut or goes on in the next line, columns are left out by name', () => {
    const berth = `${process.execPath} ${MAIN}`;
    writeFileSync(path('pi.yaml'), `${NODES}${pod('a', '1')}`);
    const bench = 'bench --kind basic --nodes 20 --pods 20 --repeat 1';
    const command = `stty cols 70; ${berth} ${bench}; ${berth} simulate -f pi.yaml --allow-pending`;
    const lines = execFileSync('script', ['-qec', `${command}; true`, '/dev/null'], { cwd: folder })
      .toString()
      .split(/\r?\n/)
      .map((line) => line.slice(line.lastIndexOf('\r') + 1));
    const table = lines.filter((line) => /^[┌│├└]/.test(line));
    expect(table.length).toBeGreaterThan(4);
    const figures = lines.slice(lines.findIndex((line) => line.startsWith('FIGURE')));
    for (const line of [...table, ...figures.filter((each) => /^[A-Za-z ]/.test(each))]) {
      if (!line.startsWith('simulated')) expect([...line].length, line).toBeLessThanOrEqual(70);
    }
    expect(lines.join('\n')).toMatch(/^no room for B\/pod, B\/node, .* \(-o json has them\)$/m);
    expect(figures.join('\n')).toMatch(/^ended +settled after .*\n {3,}\S/m);
    expect(figures.join('\n')).toMatch(/^event log +\d+ lines, sha256\n {3,}[0-9a-f]+…$/m);
  });
});

describe('small commands', () => {
  it('berth version', async () => {
    const [text, json] = await Promise.all([runBuilt(['version']), runBuilt(['version', '-o', 'json'])]);
    expect(text.out).toMatch(/^berth \d+\.\d+\.\d+.*, decides as kube-scheduler v1\.36\.2, Node\.js v\d+/);
    expect(JSON.parse(json.out)).toMatchObject({ kubernetes: 'v1.36.2', node: process.version });
  });

  it('berth completion', async () => {
    const [bash, zsh, fish] = await Promise.all(
      ['bash', 'zsh', 'fish'].map((shell) => runBuilt(['completion', shell])),
    );
    writeFileSync(path('completion.bash'), bash?.out ?? '');
    const complete = (...words: string[]) =>
      execFileSync(
        'bash',
        [
          '-c',
          'source completion.bash; COMP_WORDS=(berth "$@"); COMP_CWORD=$#; _berth; declare -p COMPREPLY',
          'bash',
          ...words,
        ],
        { cwd: folder, encoding: 'utf8' },
      )
        .replace(/^declare -a COMPREPLY=\(|\)\n$/g, '')
        .replace(/\[\d+\]="(.*?)"/g, '$1');
    expect(complete('sche')).toBe('schedule scheduler schema');
    expect(complete('bench', 'comp')).toBe('compare');
    expect(complete('bench', 'compare', '--fail')).toBe('--fail-above');
    expect(complete('schedule', '--engine', 's')).toBe('simd scalar');
    expect(zsh?.out).toMatch(/^#compdef berth\n/);
    expect(fish?.out).toContain(
      "complete -c berth -n '__fish_seen_subcommand_from schedule' -l engine -x -a 'simd scalar",
    );
  });

  it('berth bench takes several kinds and engines, and says where its results come from', async () => {
    const argv = [
      'bench',
      '--kind',
      'basic,hetero',
      '--engine',
      'simd,scalar',
      '--nodes',
      '20',
      '--pods',
      '20',
      '--repeat',
      '1',
    ];
    const { out } = await runBuilt([...argv, '--seed', '7', '-o', 'json']);
    const { results, origin } = JSON.parse(out);
    expect(results.map(({ kind, engine }: { kind: string; engine: string }) => `${kind} ${engine}`)).toEqual([
      'basic simd',
      'basic scalar',
      'hetero simd',
      'hetero scalar',
    ]);
    expect(origin).toMatchObject({ seed: 7, command: `berth ${argv.join(' ')} --seed 7 -o json` });
    expect(origin.time).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect((await runBuilt(['bench', '--engine', 'simd,gpu'])).err).toMatch(
      /'simd,gpu' is invalid. Allowed choices are/,
    );
  });
});
