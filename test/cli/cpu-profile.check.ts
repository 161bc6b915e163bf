import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { KERNEL_TABLE } from '../../src/kernels/kernel-table.ts';
import { NODES, pod } from './run-berth.ts';
import { runBuilt } from './run-built.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-profile-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Profile {
  readonly nodes: readonly { readonly callFrame: { readonly functionName: string; readonly url: string } }[];
}

const profileOf = (name: string): Profile => JSON.parse(readFileSync(join(folder, name), 'utf8'));

describe('--cpu-profile', () => {
  it('shows kernels by their names', async () => {
    const size = ['--kind', 'spread', '--nodes', '5000', '--pods', '300', '--repeat', '1', '--engine', 'scalar'];
    const { code } = await runBuilt(['bench', ...size, '--cpu-profile', 'run.cpuprofile'], { cwd: folder });
    expect(code).toBe(0);
    const profile = profileOf('run.cpuprofile');
    expect(Object.keys(profile).toSorted()).toEqual(['endTime', 'nodes', 'samples', 'startTime', 'timeDeltas']);
    const frames = profile.nodes.map(({ callFrame }) => callFrame);
    expect(frames.map(({ functionName }) => functionName)).toContain('scheduleBatch');
    const kernels = frames.filter(({ url }) => url.startsWith('wasm://')).map(({ functionName }) => functionName);
    const known = Object.keys(KERNEL_TABLE);
    expect(kernels.length).toBeGreaterThan(0);
    expect(kernels.filter((name) => known.includes(name.slice(name.lastIndexOf('/') + 1)))).not.toEqual([]);
  });

  it('is complete also when the work fails', async () => {
    writeFileSync(join(folder, 'bound.yaml'), NODES + pod('a', '1', 'nodeName: n1, '));
    const { code, err } = await runBuilt(['bench', '-f', 'bound.yaml', '--cpu-profile', 'c'], { cwd: folder });
    expect({ code, err }).toEqual({ code: 1, err: 'error: file: there is no pending pod to schedule\n' });
    expect(profileOf('c').nodes.length).toBeGreaterThan(0);
  });
});
