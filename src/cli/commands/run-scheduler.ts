import { hostname } from 'node:os';
import { loadConfiguration } from '../../caller/load-configuration.ts';
import { MetricsServer } from '../../cluster/metrics-server.ts';
import type { LeaderElection } from '../../config/component-config.ts';
import type { SchedulerConfiguration } from '../../config/configuration.ts';
import { featureGates } from '../../config/feature-gates.ts';
import { CodedError } from '../../lib/errors.ts';
import { newSecret } from '../../lib/secret.ts';
import { minorVersionOf } from '../../live/connect.ts';
import { LiveScheduler } from '../../live/live-scheduler.ts';
import { checkRights } from '../../live/rights.ts';
import { schedulerRights } from '../../live/scheduler-rights.ts';
import type { ClusterFlags } from '../flags/cluster-flags.ts';
import type { EngineFlags } from '../flags/options.ts';
import { type SchedulerFlags, schedulerOptions } from '../flags/scheduler-flags.ts';
import { printedDecisions, printedShadow } from '../output/silent-decisions.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { connectTo } from './connect-to.ts';
import { EXIT_INTERRUPTED } from './outcome.ts';

/** What `berth scheduler` was asked for. */
export interface SchedulerCommandFlags extends ClusterFlags, SchedulerFlags, EngineFlags {
  readonly schedulerName?: string;
  readonly leaderElect?: boolean;
  readonly listen: string;
  readonly dryRun?: true;
  readonly shadow?: true;
  readonly kubeApiQps?: number;
  readonly kubeApiBurst?: number;
}

/** Another scheduler may have become the leader. */
const EXIT_LOST = 1;

/** Schedules until it is interrupted, or has lost its lease. Returns the exit code. @throws CodedError */
export async function runScheduler(flags: SchedulerCommandFlags, terminal: Terminal): Promise<number> {
  const given = await schedulerOptions(flags, terminal);
  const configuration = given.configuration ?? configurationFor(flags);
  const { clientConnection } = configuration;
  const isSilent = flags.dryRun === true || flags.shadow === true;
  const leaderElection = isSilent ? null : { ...configuration.leaderElection, ...leaderElectionFlags(flags) };
  const report = (error: unknown, activity: string): void =>
    terminal.log(`error: ${activity}: ${error instanceof Error ? error.message : error}`);
  const { qps, burst } = clientConnection;
  const kubeconfig = flags.kubeconfig ?? (clientConnection.kubeconfig || undefined);
  const { connection, loop } = await connectTo(
    { ...flags, ...(kubeconfig !== undefined && { kubeconfig }) },
    { qps: flags.kubeApiQps ?? qps, burst: flags.kubeApiBurst ?? burst, userAgent: 'berth-scheduler' },
    (error) => report(error, 'a task'),
  );
  let metrics: MetricsServer | null = null;
  try {
    await checkRights(
      connection,
      schedulerRights(featureGates(given.featureGates, configuration), {
        lease: leaderElection?.leaderElect ? leaseOf(leaderElection) : null,
        writes: !isSilent,
        minorVersion: await minorVersionOf(connection),
      }),
    );
    const end = endOf(terminal);
    const names = configuration.profiles.map(({ schedulerName }) => schedulerName);
    const print = (line: string): void => void terminal.print(`${line}\n`).catch(() => {});
    const shadow = flags.shadow ? printedShadow(new Set(names), print) : null;
    const watcher = flags.dryRun ? printedDecisions(print) : shadow;
    const identity = `${hostname()}_${newSecret().slice(0, 8)}`;
    const { engine, index = true, workers = 1 } = flags;
    const live = new LiveScheduler(
      { connection, loop, reportError: report, identity, lost: end.lost },
      { ...given, configuration, leaderElection, index, workers, ...(engine !== undefined && { engine }) },
      watcher,
    );
    const { host, port } = addressOf(flags.listen);
    const source = () => ({ registry: live.metrics.registry, isReady: live.isReady });
    metrics = await MetricsServer.open(port, source, host);
    live.start();
    const what = watcher === null ? 'are scheduled' : 'are decided about, and nothing is written';
    terminal.log(`pods of ${names.join(', ')} ${what}; probes and metrics on ${metrics.url}; Ctrl-C ends it`);
    const exitCode = await end.come;
    await (exitCode === EXIT_LOST ? live.abandon() : live.stop());
    if (shadow !== null) terminal.log(shadow.summary());
    if (exitCode === EXIT_LOST) terminal.log('error: the lease was lost');
    return exitCode;
  } finally {
    await metrics?.close();
    await connection.close();
    loop.close();
  }
}

function leaseOf({ resourceNamespace, resourceName }: LeaderElection): { namespace: string; name: string } {
  return { namespace: resourceNamespace, name: resourceName };
}

/** kube-scheduler's defaults with every node scored, for pods that ask for this name. */
function configurationFor({ schedulerName }: SchedulerCommandFlags): SchedulerConfiguration {
  return loadConfiguration({
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    percentageOfNodesToScore: 100,
    ...(schedulerName !== undefined && { profiles: [{ schedulerName }] }),
  });
}

function leaderElectionFlags({ leaderElect }: SchedulerCommandFlags): { readonly leaderElect?: boolean } {
  return leaderElect === undefined ? {} : { leaderElect };
}

/** @throws CodedError `InvalidAddress` */
function addressOf(text: string): { readonly host: string; readonly port: number } {
  const [, host = '', digits = ''] = /^(?:\[([^\]]+)\]|([^:]*)):(\d+)$/.exec(text)?.flatMap((part) => part ?? []) ?? [];
  const port = Number(digits);
  if (host !== '' && digits !== '' && port <= 65_535) return { host, port };
  throw new CodedError('InvalidAddress', `--listen ${text}: must be an address and a port, such as 0.0.0.0:10259`);
}

interface End {
  readonly lost: () => void;
  /** The exit code of what came first. */
  readonly come: Promise<number>;
}

function endOf(terminal: Pick<Terminal, 'onInterrupt'>): End {
  let lost = (): void => {};
  const come = new Promise<number>((resolve) => {
    lost = () => resolve(EXIT_LOST);
    terminal.onInterrupt(() => resolve(EXIT_INTERRUPTED));
  });
  return { lost, come };
}
