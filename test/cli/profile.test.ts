import { describe, expect, it } from 'vitest';
import { berth, NODES, pod } from './run-berth.ts';

const FILES = { 'c.yaml': NODES + pod('a', '1') + pod('b', '9') };

describe('berth profile', () => {
  it('puts a profile of a run into a folder, with an index page', async () => {
    const argv = ['profile', '--output-folder', 'p', '--', 'schedule', '-f', 'c.yaml', '-q'];
    const { code, out, logged, written } = await berth(argv, FILES);
    expect(code).toBe(2);
    expect(logged.at(-1)).toBe('profile: p/index.html');
    expect(out).toMatch(/^default +a +scheduled/m);
    expect(out).toMatch(/^PHASE /m);
    expect(Object.keys(written).sort()).toEqual(
      ['heap.heapprofile', 'index.html', 'memory.json', 'output.txt', 'run.cpuprofile', 'trace.json'].map(
        (n) => `p/${n}`,
      ),
    );
    expect(JSON.parse(written['p/run.cpuprofile'] ?? '').nodes.length).toBeGreaterThan(10);
    expect(JSON.parse(written['p/heap.heapprofile'] ?? '')).toHaveProperty('head');
    expect(JSON.parse(written['p/trace.json'] ?? '')).toBeTruthy();
    const { kernelMemory, heapSpaces } = JSON.parse(written['p/memory.json'] ?? '');
    expect(kernelMemory[0]).toEqual({
      owner: expect.any(String),
      bytes: expect.any(Number),
      blocks: expect.any(Number),
    });
    expect(heapSpaces.map(({ name }: { name: string }) => name)).toContain('old_space');
    expect(written['p/output.txt']).toContain(out);
    const page = written['p/index.html'] ?? '';
    expect(page).toContain('berth schedule -f c.yaml -q');
    expect(page).toMatch(/Content-Security-Policy/);
    for (const name of Object.keys(written)) if (!name.endsWith('index.html')) expect(page).toContain(name.slice(2));
  });

  it('profiles a simulation, which has no trace', async () => {
    const argv = ['profile', '--output-folder', 'p', 'simulate', '-f', 'c.yaml', '--until', '1m', '--allow-pending'];
    const { code, written } = await berth(argv, FILES);
    expect([code, 'p/trace.json' in written, 'p/index.html' in written]).toEqual([0, false, true]);
  });

  it.each([
    [['profile', '--', 'serve'], 'error: profile: "serve" is not one of bench, schedule, simulate'],
    [['profile'], "error: missing required argument 'command'"],
  ])('refuses %j', async (argv, message) => {
    const { code, logged, written } = await berth(argv, FILES);
    expect([code, logged.at(-1), written]).toEqual([1, message, {}]);
  });
});
