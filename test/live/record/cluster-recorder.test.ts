import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { ClusterRecorder } from '../../../src/live/record/cluster-recorder.ts';
import { openRecording } from '../../../src/live/record/open-recording.ts';
import { recordedLines } from '../../../src/recording/read-lines.ts';
import { isChange, type RecordedLine } from '../../../src/recording/recording-lines.ts';
import { RandomNames } from '../../../src/store/objects/names.ts';
import { Store } from '../../../src/store/store.ts';

const directory = mkdtempSync(join(tmpdir(), 'berth-record-'));
afterAll(() => rmSync(directory, { recursive: true }));

const HISTORY = 50;

/** A store, and recorders that write into one file one after the other. */
class Rig {
  readonly loop = new VirtualEventLoop();
  readonly store = new Store({ clock: this.loop, names: new RandomNames(new Prng(3)) }, { historyLimit: HISTORY });
  readonly file: string;

  constructor(name: string) {
    this.file = join(directory, name);
  }

  async record(work: () => void, { isKilled = false } = {}): Promise<void> {
    const { loop, store: client } = this;
    const time = new Date(loop.nowMillis()).toISOString();
    const { file, known } = await openRecording(this.file, { berth: 'test', time });
    const write = (line: object): void => file.write(line);
    const modules = { client, loop, prng: new Prng(1), reportError: () => {}, clock: loop, write };
    const recorder = new ClusterRecorder(modules, ['nodes', 'pods'], known);
    recorder.start();
    this.pass();
    work();
    this.pass();
    file.flush();
    if (isKilled) return;
    recorder.stop();
    file.close();
  }

  pass(): void {
    this.loop.runUntil(this.loop.nowMillis() + 1000);
  }

  addPods(...names: string[]): void {
    for (const name of names) {
      this.store.create('pods', { metadata: { name, namespace: 'default' }, spec: { containers: [{ name: 'c' }] } });
    }
  }

  async lines(): Promise<RecordedLine[]> {
    const chunks = (async function* (file: string) {
      yield readFileSync(file);
    })(this.file);
    const lines: RecordedLine[] = [];
    for await (const line of recordedLines(chunks, 'file', false)) if ('type' in line) lines.push(line);
    return lines;
  }

  /** Type and name of each change; `~` where a list found it. */
  async changes(): Promise<string[]> {
    return (await this.lines())
      .filter(isChange)
      .map(({ type, listed, object }) => `${listed ? '~' : ''}${type} ${object.metadata?.name}`);
  }
}

describe('a recorder', () => {
  it('writes what is there, and then each change with its time', async () => {
    const rig = new Rig('changes');
    rig.store.create('nodes', { metadata: { name: 'n' } });
    await rig.record(() => {
      rig.addPods('a');
      rig.store.bind('default', 'a', { target: { name: 'n' } });
      rig.store.delete('pods', 'default', 'a', { gracePeriodSeconds: 0 });
    });
    expect(await rig.changes()).toEqual(['~ADDED n', 'ADDED a', 'MODIFIED a', 'MODIFIED a', 'DELETED a']);
    const [first] = await rig.lines();
    expect(first?.time).toBe('2026-01-01T00:00:00.000Z');
  });

  it('goes on after it was stopped, from the last version', async () => {
    const rig = new Rig('resumed');
    await rig.record(() => rig.addPods('a'));
    rig.addPods('b');
    await rig.record(() => rig.addPods('c'));
    expect(await rig.changes()).toEqual(['ADDED a', 'ADDED b', 'ADDED c']);
    expect((await rig.lines()).map(({ type }) => type)).toContain('RESUMED');
  });

  it('lists what it has missed when the server does not know the version any more', async () => {
    const rig = new Rig('expired');
    await rig.record(() => rig.addPods('gone', 'stays', 'changed', 'anew'));
    rig.store.delete('pods', 'default', 'gone', { gracePeriodSeconds: 0 });
    rig.store.bind('default', 'changed', { target: { name: 'n' } });
    rig.store.delete('pods', 'default', 'anew', { gracePeriodSeconds: 0 });
    rig.addPods('anew', 'new');
    rig.store.delete('pods', 'default', 'new', { gracePeriodSeconds: 0 });
    for (let i = 0; i < HISTORY; i++) {
      rig.addPods('new');
      rig.store.delete('pods', 'default', 'new', { gracePeriodSeconds: 0 });
    }
    rig.addPods('new');
    await rig.record(() => rig.pass());
    expect((await rig.changes()).slice(4)).toEqual([
      ...['~DELETED anew', '~ADDED anew', '~MODIFIED changed', '~ADDED new', '~DELETED gone'],
    ]);
  });

  it('leaves a file that can be read, and goes on, wherever it is killed', async () => {
    const rig = new Rig('killed');
    await rig.record(() => rig.addPods('a'), { isKilled: true });
    const before = readFileSync(rig.file).length;
    await rig.record(() => rig.addPods('b', 'c', 'd'), { isKilled: true });
    const whole = readFileSync(rig.file);
    const seen = new Set<number>();
    for (let length = before; length < whole.length; length += 7) {
      writeFileSync(rig.file, whole);
      truncateSync(rig.file, length);
      await rig.record(() => rig.pass());
      const changes = await rig.changes();
      expect(changes, `cut off at byte ${length}`).toEqual(['ADDED a', 'ADDED b', 'ADDED c', 'ADDED d']);
      seen.add(length);
    }
    expect(seen.size).toBeGreaterThan(20);
  });

  it('refuses a file that is no recording', async () => {
    const rig = new Rig('other');
    writeFileSync(rig.file, '{"kind":"List"}\n');
    await expect(rig.record(() => {})).rejects.toThrow('was not written by berth record');
    expect(readFileSync(rig.file, 'utf8')).toBe('{"kind":"List"}\n');
  });
});
