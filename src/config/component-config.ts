import { formatDuration } from '../lib/go-duration.ts';
import {
  boolean,
  type Decoder,
  duration,
  float,
  int32,
  mapped,
  or,
  orIfZero,
  string,
  struct,
} from './decode/decoder.ts';
import { type ConfigurationError, invalid } from './decode/field-error.ts';

const SECOND = 1_000_000_000n;
const time = duration({ nullable: false });

export const clientConnection: Decoder<ClientConnection> = struct({
  kubeconfig: or(string, ''),
  acceptContentTypes: or(string, ''),
  contentType: orIfZero(string, 'application/vnd.kubernetes.protobuf'),
  qps: orIfZero(float, 50),
  burst: orIfZero(int32, 100),
});

/** How kube-scheduler connects to the API server. Berth only reads and checks it. */
export interface ClientConnection {
  readonly kubeconfig: string;
  readonly acceptContentTypes: string;
  readonly contentType: string;
  readonly qps: number;
  readonly burst: number;
}

export const leaderElection: Decoder<LeaderElection> = mapped(
  struct({
    leaderElect: or(boolean, true),
    leaseDuration: orIfZero(time, 15n * SECOND),
    renewDeadline: orIfZero(time, 10n * SECOND),
    retryPeriod: orIfZero(time, 2n * SECOND),
    resourceLock: orIfZero(string, 'leases'),
    resourceName: orIfZero(string, 'kube-scheduler'),
    resourceNamespace: orIfZero(string, 'kube-system'),
  }),
  ({ leaseDuration, renewDeadline, retryPeriod, ...rest }) => ({
    ...rest,
    leaseDurationNanoseconds: leaseDuration,
    renewDeadlineNanoseconds: renewDeadline,
    retryPeriodNanoseconds: retryPeriod,
  }),
);

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
