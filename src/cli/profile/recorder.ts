import type { HeapProfiler, Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { RealClock } from '../../lib/clock.ts';
import { MemoryMap, type MemoryShare } from '../../memory/memory-map.ts';
import { SharedMemory } from '../../memory/shared-memory.ts';

/** V8's default interval of a millisecond would miss most kernels, which run for microseconds. */
const SAMPLING_MICROS = 200;
const HEAP_SAMPLING_BYTES = 64 * 1024;

/** A space of the JavaScript heap. */
export interface HeapSpace {
  readonly name: string;
  readonly usedBytes: number;
  readonly committedBytes: number;
}

/** What was measured while work was done. */
export interface Recorded<T> {
  readonly result: T;
  readonly seconds: number;
  /** Processor time of all threads. */
  readonly cpuSeconds: number;
  readonly cpu: Profiler.Profile;
  readonly heap: HeapProfiler.SamplingHeapProfile;
  readonly heapSpaces: readonly HeapSpace[];
  readonly mostResidentBytes: number;
  readonly kernelMemory: readonly MemoryShare[];
}

/** Does the work with V8's profilers on, and with all blocks of the kernels' memories noted. */
export async function recorded<T>(work: () => Promise<T>): Promise<Recorded<T>> {
  const clock = new RealClock();
  const session = new Session();
  session.connect();
  const map = new MemoryMap();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_MICROS });
    await session.post('HeapProfiler.startSampling', { samplingInterval: HEAP_SAMPLING_BYTES });
    await session.post('Profiler.start');
    SharedMemory.observer = map;
    const start = clock.nowMillis();
    const cpuStart = process.cpuUsage();
    const result = await work();
    const seconds = (clock.nowMillis() - start) / 1000;
    const { user, system } = process.cpuUsage(cpuStart);
    const { profile: cpu } = await session.post('Profiler.stop');
    const { profile: heap } = await session.post('HeapProfiler.stopSampling');
    return {
      ...{ result, seconds, cpu, heap, cpuSeconds: (user + system) / 1e6 },
      heapSpaces: getHeapSpaceStatistics().map(({ space_name: name, space_used_size, space_size }) => {
        return { name, usedBytes: space_used_size, committedBytes: space_size };
      }),
      mostResidentBytes: process.resourceUsage().maxRSS * 1024,
      kernelMemory: map.peak(),
    };
  } finally {
    SharedMemory.observer = null;
    session.disconnect();
  }
}
