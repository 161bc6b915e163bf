import type { EventLoop } from '../../lib/event-loop.ts';
import { Prng } from '../../lib/prng.ts';
import { Anonymiser } from '../../live/anonymise/anonymise.ts';
import { AnonymisingClient } from '../../live/anonymise/anonymising-client.ts';
import { ClusterRecorder } from '../../live/record/cluster-recorder.ts';
import { openRecording } from '../../live/record/open-recording.ts';
import { recordedResources } from '../../live/record/recorded-resources.ts';
import type { RecordingFile } from '../../live/record/recording-file.ts';
import { RemoteClient } from '../../remote/remote-client.ts';
import type { ClusterFlags } from '../flags/cluster-flags.ts';
import { packageVersion } from '../terminal/provenance.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { connectTo } from './connect-to.ts';
import { EXIT_INTERRUPTED } from './outcome.ts';

/** What `berth record` was asked for. */
export interface RecordFlags extends ClusterFlags {
  /** Milliseconds. */
  readonly for?: number;
  readonly kubeApiQps: number;
  /** The seed of the names that replace others. */
  readonly anonymise?: number;
}

/** How long a change may wait for others to be compressed together with it. */
const FLUSH_MILLIS = 1000;

/** Records until the time is over, or it is interrupted. Returns the exit code. @throws CodedError */
export async function recordCluster(name: string, flags: RecordFlags, terminal: Terminal): Promise<number> {
  const report = (error: unknown, activity: string): void =>
    terminal.log(`error: ${activity}: ${error instanceof Error ? error.message : error}`);
  terminal.noteOutput(name);
  const options = { qps: flags.kubeApiQps, userAgent: 'berth-record' };
  const { connection, loop } = await connectTo(flags, options, (error) => report(error, 'a task'));
  try {
    const resources = await recordedResources(connection);
    const time = new Date(loop.nowMillis()).toISOString();
    const anonymised = flags.anonymise === undefined ? {} : { anonymised: true as const };
    const recording = await openRecording(name, { berth: packageVersion(), time, ...anonymised });
    const end = endOf(flags, terminal, loop);
    const { file } = recording;
    const write = (line: object): void => {
      try {
        file.write(line);
      } catch (error) {
        end.fail(error);
      }
    };
    const remote = new RemoteClient({ connection, loop, prng: new Prng(1) });
    const { anonymise: seed } = flags;
    const client = seed === undefined ? remote : new AnonymisingClient(remote, new Anonymiser(seed));
    const modules = { client, loop, prng: new Prng(2), reportError: report, clock: loop, write };
    const recorder = new ClusterRecorder(modules, resources, recording.known);
    recorder.start();
    flushAgain(file, loop, end.fail);
    const how = recording.isResumed ? 'goes on' : 'begins';
    terminal.log(`${name}: the recording ${how}; Ctrl-C ends it`);
    try {
      return await end.come;
    } finally {
      recorder.stop();
      write({ time: new Date(loop.nowMillis()).toISOString(), type: 'STOPPED' });
      file.close();
      terminal.log(`${name}: ${recorder.changeCount} changes recorded`);
    }
  } finally {
    loop.close();
    await connection.close();
  }
}

function flushAgain(file: RecordingFile, loop: EventLoop, fail: (error: unknown) => void): void {
  loop.after(FLUSH_MILLIS, () => {
    try {
      file.flush();
      flushAgain(file, loop, fail);
    } catch (error) {
      fail(error);
    }
  });
}

interface End {
  readonly fail: (error: unknown) => void;
  /** The exit code of what came first. */
  readonly come: Promise<number>;
}

function endOf({ for: forMillis }: RecordFlags, terminal: Terminal, loop: EventLoop): End {
  let fail = (_error: unknown): void => {};
  const come = new Promise<number>((resolve, reject) => {
    fail = reject;
    if (forMillis !== undefined) loop.after(forMillis, () => resolve(0));
    terminal.onInterrupt(() => resolve(EXIT_INTERRUPTED));
  });
  return { fail, come };
}
