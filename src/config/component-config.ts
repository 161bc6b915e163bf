import { formatDuration } from '../lib/go-duration.ts';
import { boolean, duration, float, int32, string, struct } from './decode/decoder.ts';
import { type ConfigurationError, invalid } from './decode/field-error.ts';

/** How kube-scheduler connects to the API server. Berth only reads and checks it. */
export interface ClientConnection {
  readonly kubeconfig: string;
  readonly acceptContentTypes: string;
  readonly contentType: string;
  readonly qps: number;
  readonly burst: number;
}

/** How several instances of kube-scheduler elect a leader. Berth only reads and checks it. */
export interface LeaderElection {
  readonly leaderElect: boolean;
  readonly leaseDurationNanoseconds: bigint;
  readonly renewDeadlineNanoseconds: bigint;
  readonly retryPeriodNanoseconds: bigint;
  readonly resourceLock: string;
  readonly resourceName: string;
  readonly resourceNamespace: string;
}

export const ZERO_CLIENT_CONNECTION: ClientConnection = {
  kubeconfig: '',
  acceptContentTypes: '',
  contentType: '',
  qps: 0,
  burst: 0,
};

export const ZERO_LEADER_ELECTION: LeaderElection = {
  leaderElect: false,
  leaseDurationNanoseconds: 0n,
  renewDeadlineNanoseconds: 0n,
  retryPeriodNanoseconds: 0n,
  resourceLock: '',
  resourceName: '',
  resourceNamespace: '',
};

const SECOND = 1_000_000_000n;

export const clientConnection = struct({
  kubeconfig: string,
  acceptContentTypes: string,
  contentType: string,
  qps: float,
  burst: int32,
});

const time = duration({ nullable: false });

export const leaderElection = struct({
  leaderElect: boolean,
  leaseDuration: time,
  renewDeadline: time,
  retryPeriod: time,
  resourceLock: string,
  resourceName: string,
  resourceNamespace: string,
});

/** Fills in defaults; zero and '' count as not given. */
export function withDefaultConnection(given: ReturnType<typeof clientConnection> = {}): ClientConnection {
  return {
    kubeconfig: given.kubeconfig ?? '',
    acceptContentTypes: given.acceptContentTypes ?? '',
    contentType: given.contentType || 'application/vnd.kubernetes.protobuf',
    qps: given.qps || 50,
    burst: given.burst || 100,
  };
}

export function withDefaultElection(given: ReturnType<typeof leaderElection> = {}): LeaderElection {
  return {
    leaderElect: given.leaderElect ?? true,
    leaseDurationNanoseconds: given.leaseDuration || 15n * SECOND,
    renewDeadlineNanoseconds: given.renewDeadline || 10n * SECOND,
    retryPeriodNanoseconds: given.retryPeriod || 2n * SECOND,
    resourceLock: given.resourceLock || 'leases',
    resourceName: given.resourceName || 'kube-scheduler',
    resourceNamespace: given.resourceNamespace || 'kube-system',
  };
}

/** Upstream: component-base/config/validation/validation.go. */
export function validateConnection({ burst }: ClientConnection): ConfigurationError[] {
  return burst < 0 ? [invalid('clientConnection.burst', burst, 'must be non-negative')] : [];
}

/** Nothing is checked while leader election is off. */
export function validateElection(election: LeaderElection): ConfigurationError[] {
  if (!election.leaderElect) return [];
  const { leaseDurationNanoseconds: lease, renewDeadlineNanoseconds: renew, retryPeriodNanoseconds: retry } = election;
  const errors: ConfigurationError[] = [];
  for (const [field, value] of Object.entries({ leaseDuration: lease, renewDeadline: renew, retryPeriod: retry })) {
    if (value <= 0n)
      errors.push(invalid(`leaderElection.${field}`, formatDuration(value), 'must be greater than zero'));
  }
  if (lease <= renew) {
    // Upstream names one field and shows the value of the other.
    const detail = 'must be greater than `RenewDeadline`';
    errors.push(invalid('leaderElection.leaseDuration', formatDuration(renew), detail));
  }
  if (election.resourceLock !== 'leases') {
    const detail = 'resourceLock value must be "leases"';
    errors.push(invalid('leaderElection.resourceLock', election.resourceLock, detail));
  }
  return errors;
}

export function encodeElection(election: LeaderElection): Readonly<Record<string, unknown>> {
  const { leaseDurationNanoseconds, renewDeadlineNanoseconds, retryPeriodNanoseconds, ...rest } = election;
  return {
    ...rest,
    leaseDuration: formatDuration(leaseDurationNanoseconds),
    renewDeadline: formatDuration(renewDeadlineNanoseconds),
    retryPeriod: formatDuration(retryPeriodNanoseconds),
  };
}
