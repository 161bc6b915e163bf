import { basename } from 'node:path';
import type { EngineName } from '../../src/index.ts';
import { type ApiCase, isApiCase } from './api/api-case.ts';
import { ApiPlayer } from './api/check-api.ts';
import { type CelCase, type CelDevices, isCelCase, isCelDevices } from './cel/cel-case.ts';
import { checkCel } from './cel/check-cel.ts';
import { checkConfigValidation } from './check-config-validation.ts';
import { checkDecide } from './check-decide.ts';
import { checkLive } from './check-live.ts';
import { checkLogTable } from './check-log-table.ts';
import { checkSampling } from './check-sampling.ts';
import { checkSequence } from './check-sequence.ts';
import { checkControl } from './control/check-control.ts';
import { type ControlCase, isControlCase } from './control/control-case.ts';
import type { Difference } from './differences.ts';
import { checkDraDecide } from './dra/check-dra-decide.ts';
import { checkDraSequence } from './dra/check-dra-sequence.ts';
import { checkGang } from './dra/check-gang.ts';
import { isDraDecide } from './dra/dra-case.ts';
import { type GangCase, isGangCase } from './dra/gang-case.ts';
import { checkExtender } from './extender/check-extender.ts';
import { isKubectlCase, type KubectlCase } from './kubectl/kubectl-case.ts';
import { checkQueue, enginesFor } from './queue/check-queue.ts';
import { isQueueCase, type QueueCase } from './queue/queue-case.ts';
import { type AnyCase, type RecordedCase, readCases } from './read-cases.ts';
import { checkScript } from './script/check-script.ts';
import { isScriptCase, type ScriptCase } from './script/script-case.ts';

const ALL_ENGINES: readonly EngineName[] = ['reference', 'scalar', 'simd'];

export interface Failure {
  readonly name: string;
  /** Absent where no decision is made. */
  readonly engine?: EngineName;
  readonly differences: readonly Difference[];
}

/** How the cases of one feature fared; a case passes when it passes on every engine. */
export interface FeatureResult {
  readonly feature: string;
  passed: number;
  total: number;
  readonly failures: Failure[];
}

/** Runs every case of a file: decisions on every engine, or on these, the control plane's once. */
export async function runFile(path: string, engines = ALL_ENGINES): Promise<FeatureResult[]> {
  const players = new ApiPlayers();
  try {
    return await runCases(path, players, engines);
  } finally {
    await players.close();
  }
}

/** The API server of a file, started when its first scenario is played. */
class ApiPlayers {
  #player: ApiPlayer | undefined;

  get player(): ApiPlayer {
    this.#player ??= new ApiPlayer();
    return this.#player;
  }

  async close(): Promise<void> {
    await this.#player?.close();
  }
}

async function runCases(path: string, players: ApiPlayers, engines: readonly EngineName[]): Promise<FeatureResult[]> {
  const results = new Map<string, FeatureResult>();
  const cases = readCases(path);
  const devices = cases.find(isCelDevices) ?? { kind: 'cel-devices', devices: [] };
  for (const recorded of cases) {
    if (isCelDevices(recorded)) continue;
    const feature = featureOf(recorded, path);
    let result = results.get(feature);
    if (result === undefined) {
      result = { feature, passed: 0, total: 0, failures: [] };
      results.set(feature, result);
    }
    const failures = isCelCase(recorded)
      ? await runCel(recorded, devices)
      : await runRecorded(recorded, players, engines);
    result.total++;
    if (failures.length === 0) result.passed++;
    result.failures.push(...failures);
  }
  return [...results.values()];
}

type PlayedCase = Exclude<AnyCase, CelDevices>;

async function runCel(recorded: CelCase, devices: CelDevices): Promise<Failure[]> {
  const differences = await checked(() => checkCel(recorded, devices));
  return differences.length === 0 ? [] : [{ name: recorded.name, differences }];
}

function runRecorded(
  recorded: Exclude<PlayedCase, CelCase>,
  players: ApiPlayers,
  engines: readonly EngineName[],
): Promise<Failure[]> {
  if (isKubectlCase(recorded)) return runSession(recorded, players);
  if (isApiCase(recorded)) return runApi(recorded, players);
  if (isQueueCase(recorded)) return runQueue(recorded, engines);
  if (isScriptCase(recorded)) return runScript(recorded, engines);
  if (isGangCase(recorded)) return runGang(recorded, engines);
  return isControlCase(recorded) ? runControl(recorded) : runOnEngines(recorded, engines);
}

async function runApi(recorded: ApiCase, players: ApiPlayers): Promise<Failure[]> {
  const differences = await checked(() => players.player.play(recorded));
  return differences.length === 0 ? [] : [{ name: recorded.name, differences }];
}

async function runSession(recorded: KubectlCase, players: ApiPlayers): Promise<Failure[]> {
  const differences = await checked(() => players.player.playSession(recorded));
  return differences.length === 0 ? [] : [{ name: recorded.name, differences }];
}

function featureOf(recorded: PlayedCase, path: string): string {
  if (isCelCase(recorded)) return recorded.features?.[0] ?? recorded.kind;
  if (isKubectlCase(recorded) || isApiCase(recorded)) return recorded.feature;
  if (isQueueCase(recorded)) return recorded.family;
  if (isScriptCase(recorded)) return basename(path, '.ndjson.gz');
  if (isControlCase(recorded)) return recorded.family;
  return recorded.features?.[0] ?? (recorded.kind === 'live' ? basename(path, '.ndjson.gz') : recorded.kind);
}

async function runOnEngines(recorded: RecordedCase, engines: readonly EngineName[]): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (const engine of engines) failures.push(...(await runCase(recorded, engine)));
  return failures;
}

async function runControl(recorded: ControlCase): Promise<Failure[]> {
  const differences = await checked(() => checkControl(recorded));
  return differences.length === 0 ? [] : [{ name: recorded.id, differences }];
}

async function runQueue(recorded: QueueCase, engines: readonly EngineName[]): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (const engine of enginesFor(recorded, engines)) {
    const differences = await checked(() => checkQueue(recorded, engine));
    if (differences.length > 0) failures.push({ name: recorded.name, engine, differences });
  }
  return failures;
}

async function runGang(recorded: GangCase, engines: readonly EngineName[]): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (const engine of engines) {
    const differences = await checked(() => checkGang(recorded, engine));
    if (differences.length > 0) failures.push({ name: recorded.name, engine, differences });
  }
  return failures;
}

async function runScript(script: ScriptCase, engines: readonly EngineName[]): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (const engine of engines) {
    const differences = await checked(() => checkScript(script, engine));
    if (differences.length > 0) failures.push({ name: script.name, engine, differences });
  }
  return failures;
}

async function runCase(recorded: RecordedCase, engine: EngineName): Promise<Failure[]> {
  const differences = await check(recorded, engine);
  return differences.length === 0 ? [] : [{ name: recorded.name, engine, differences }];
}

type Found = Difference[] | Promise<Difference[]>;
type Check = (recorded: RecordedCase, engine: EngineName) => Found;

const CHECKS: Readonly<Record<string, Check>> = {
  decide: (recorded, engine) => (isDraDecide(recorded) ? checkDraDecide : checkDecide)(recorded, engine),
  'sequence-dra': checkDraSequence,
  sequence: checkSequence,
  sampling: checkSampling,
  live: checkLive,
  'log-table': checkLogTable,
  'config-validation': checkConfigValidation,
};

function check(recorded: RecordedCase, engine: EngineName): Found {
  const checkKind = recorded.extenderRules === undefined ? CHECKS[recorded.kind] : checkExtender;
  // A kind that nothing here can check has not passed.
  if (checkKind === undefined) return [{ field: 'kind', expected: recorded.kind, got: 'not built yet' }];
  return checked(() => checkKind(recorded, engine));
}

async function checked(run: () => Found): Promise<Difference[]> {
  try {
    return await run();
  } catch (error) {
    return [{ field: 'exception', expected: undefined, got: error instanceof Error ? error.stack : error }];
  }
}
