import type { Pod } from '../../api/pod.ts';

/** Reasons for which a container waits that do not pass by themselves. */
const WAITING = [
  ...['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull', 'ImageInspectError'],
  ...['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError'],
];

/** Why a pod does not get on, in one line; undefined when nothing is wrong with it. */
export function podProblem({ metadata, spec, status }: Pod): string | undefined {
  const name = `pod ${metadata?.name}`;
  const { waiting, terminated } = status?.containerStatuses?.[0]?.state ?? {};
  if (waiting?.reason !== undefined && WAITING.includes(waiting.reason)) {
    const image = spec?.containers?.[0]?.image;
    return `${name}: ${waiting.reason} of image ${image}: ${oneLine(waiting.message)}`;
  }
  if (status?.phase === 'Failed') {
    const code = terminated?.exitCode;
    const how = code === undefined ? (status.reason ?? 'failed') : `ended with exit code ${code}`;
    const message = lastLine(terminated?.message ?? status.message);
    return `${name} ${how}${message === '' ? '' : `: ${message}`}`;
  }
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False' && scheduled.reason === 'Unschedulable') {
    return `${name} is not scheduled: ${oneLine(scheduled.message)}`;
  }
  return undefined;
}

function lastLine(text: string | undefined): string {
  return oneLine((text ?? '').trimEnd().split('\n').at(-1));
}

function oneLine(text: string | undefined): string {
  return (text ?? '').replace(/\s*\n\s*/g, ' ');
}
