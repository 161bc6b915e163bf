import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseQuantity } from '../../api/quantity.ts';
import { isObjectUrl } from '../terminal/url-objects.ts';
import { numberOption } from './options.ts';

/** The flags of a sweep that runs as a Job of Kubernetes. */
export interface KubernetesFlags {
  readonly on?: 'kubernetes';
  readonly image?: string;
  readonly namespace?: string;
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly parallelism?: number;
  readonly requests?: Readonly<Record<string, string>>;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly backoffLimitPerIndex?: number;
  readonly results?: Results;
  readonly resultsSecret?: string;
}

/** Where pods leave their shards, other than in their logs. */
export type Results =
  /** Objects in the folder of a URL. */
  | { readonly kind: 'url'; readonly url: string }
  /** Files in a folder of a volume. */
  | { readonly kind: 'claim'; readonly claim: string; readonly folder: string };

/** The flags that need `--on kubernetes`. */
export const KUBERNETES_FLAGS: readonly string[] = [
  ...['image', 'namespace', 'context', 'kubeconfig', 'parallelism', 'requests', 'node-selector'],
  ...['backoff-limit-per-index', 'results', 'results-secret'],
];

const PARALLELISM_MAX = 100_000;
const BACKOFF_MAX = 1000;

export function addKubernetesOptions(command: Command): Command {
  return command
    .addOption(new Option('--on <cluster>', 'run the --shards as an Indexed Job there').choices(['kubernetes']))
    .option('--image <name>', 'the image of its pods, in which berth is the entry point')
    .option('-n, --namespace <name>', 'where the Job is made (default: that of the context)')
    .option('--kubeconfig <file>', 'the cluster (default: as kubectl finds it)')
    .option('--context <name>', 'a context of the kubeconfig')
    .addOption(numberOption('parallelism', 'pods at a time (default: one for each shard)', 1, PARALLELISM_MAX))
    .addOption(
      new Option('--requests <amounts>', 'what a pod requests (default: cpu=1,memory=1Gi)').argParser(quantities),
    )
    .addOption(new Option('--node-selector <labels>', 'where pods may run, as key=value,key=value').argParser(pairs))
    .addOption(numberOption('backoff-limit-per-index', 'how often a shard is tried again (default: 3)', 0, BACKOFF_MAX))
    .addOption(
      new Option(
        '--results <url>',
        'where pods leave their shards: s3://BUCKET/PATH, https://HOST/PATH or pvc://CLAIM/PATH (default: their logs)',
      ).argParser(results),
    )
    .option('--results-secret <name>', 'a Secret with what that needs, as variables: AWS_ACCESS_KEY_ID, ...');
}

function results(text: string): Results {
  const [, claim, folder] = /^pvc:\/\/([a-z0-9][a-z0-9.-]*)((?:\/[^/]+)*)\/?$/.exec(text) ?? [];
  if (claim !== undefined && folder !== undefined && !folder.includes('/..')) return { kind: 'claim', claim, folder };
  if (isObjectUrl(text) && URL.canParse(text)) return { kind: 'url', url: text };
  throw new InvalidArgumentError('Expected s3://BUCKET/PATH, https://HOST/PATH or pvc://CLAIM/PATH.');
}

/** Reads `a=1,b=2`. */
function pairs(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [, name, value] = /^([^=]+)=([^=]*)$/.exec(part.trim()) ?? [];
      if (name === undefined || value === undefined) throw new InvalidArgumentError('Expected key=value,key=value.');
      return [name, value];
    }),
  );
}

function quantities(text: string): Readonly<Record<string, string>> {
  const amounts = pairs(text);
  for (const [name, amount] of Object.entries(amounts)) {
    try {
      parseQuantity(amount);
    } catch {
      throw new InvalidArgumentError(`${name}: "${amount}" is not a quantity.`);
    }
  }
  return amounts;
}
