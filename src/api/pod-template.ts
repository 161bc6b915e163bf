import { combined } from '../lib/combined.ts';
import { mapKeeping, withMembers } from '../lib/map-keeping.ts';
import { defaultPodSpec } from './defaults.ts';
import type { ObjectMeta } from './meta.ts';
import type { Container, PodSpec } from './pod.ts';

/** The template from which a controller makes pods. */
export interface PodTemplate {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?: PodSpec | undefined;
}

const DEFAULT_GRACE_PERIOD_SECONDS = 30;

/**
 * The template as the API server stores it, with the defaults that scheduling reads and those that node agents read
 * (SetDefaults_PodSpec and SetDefaults_Container in pkg/apis/core/v1/defaults.go).
 */
export function defaultPodTemplate(template: PodTemplate): PodTemplate {
  const spec = defaultPodSpec(template.spec ?? {});
  const containers = mapKeeping(spec.containers, defaultContainer);
  const initContainers = mapKeeping(spec.initContainers, defaultContainer);
  const filled = combined(withMembers(spec, { containers, initContainers }), {
    restartPolicy: spec.restartPolicy || 'Always',
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_PERIOD_SECONDS,
    dnsPolicy: spec.dnsPolicy || 'ClusterFirst',
    securityContext: spec.securityContext ?? {},
  });
  return combined(template, { spec: filled });
}

function defaultContainer(container: Container): Container {
  return combined(container, {
    resources: container.resources ?? {},
    terminationMessagePath: container.terminationMessagePath || '/dev/termination-log',
    terminationMessagePolicy: container.terminationMessagePolicy || 'File',
    imagePullPolicy: container.imagePullPolicy || (isLatest(container.image ?? '') ? 'Always' : 'IfNotPresent'),
  });
}

/** Whether the image has neither a tag nor a digest, or the tag `latest`. */
function isLatest(image: string): boolean {
  if (image.includes('@')) return false;
  const lastPart = image.slice(image.lastIndexOf('/') + 1);
  const tag = lastPart.split(':')[1];
  return tag === undefined || tag === 'latest';
}
