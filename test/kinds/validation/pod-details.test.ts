import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kinds/object/json.ts';
import { kindProblems } from './kind-problems.ts';

function problems(spec: JsonObject, container: JsonObject = {}, annotations: JsonObject = {}): string[] {
  const containers = [{ name: 'a', image: 'x', ...container }];
  return kindProblems('v1', 'Pod', { metadata: { name: 'p', annotations }, spec: { containers, ...spec } });
}

describe('hostnameErrors', () => {
  it('checks the hostname in place of the pod’s own', () => {
    expect(problems({ hostnameOverride: 'a.b' })).toEqual([]);
    expect(problems({ hostnameOverride: 'a'.repeat(65), setHostnameAsFQDN: true, hostNetwork: true })).toEqual([
      'spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true',
      'spec.hostnameOverride: Forbidden: may not be specified when hostNetwork is true',
      'spec.hostnameOverride: Too long: may not be more than 64 bytes',
    ]);
  });
});

describe('restart rules of containers', () => {
  const at = 'spec.containers[0].restartPolicy';

  it('checks actions and exit codes', () => {
    const exitCodes = { operator: 'In', values: [1] };
    const rules = [{ action: 'Restart', exitCodes }, { action: 'Stop' }];
    expect(problems({}, { restartPolicyRules: rules })).toEqual([
      `${at}: Required value: must specify restartPolicy when restart rules are used`,
      `${at}Rules[1].action: Unsupported value: "Stop": supported values: "Restart", "RestartAllContainers"`,
      `${at}Rules[1].exitCodes: Required value: must be specified`,
    ]);
    const many = Array.from({ length: 21 }, () => ({ action: 'Restart', exitCodes }));
    expect(problems({}, { restartPolicy: 'Never', restartPolicyRules: many })).toEqual([
      `${at}Rules: Too many: 21: must have at most 20 items`,
    ]);
  });
});

describe('annotations of AppArmor', () => {
  const KEY = 'container.apparmor.security.beta.kubernetes.io/';
  const at = 'spec.containers[0].securityContext.appArmorProfile';

  it('names a container and a profile', () => {
    expect(problems({}, {}, { [`${KEY}b`]: 'odd' })).toEqual([
      `metadata.annotations[${KEY}b]: Invalid value: "b": container not found`,
      `metadata.annotations[${KEY}b]: Invalid value: "odd": invalid AppArmor profile name: "odd"`,
    ]);
  });

  it('says what the field says', () => {
    const found = (appArmorProfile: JsonObject, annotation: string): string[] =>
      problems({}, { securityContext: { appArmorProfile } }, { [`${KEY}a`]: annotation });
    expect(found({ type: 'Unconfined' }, 'unconfined')).toEqual([]);
    expect(found({ type: 'RuntimeDefault' }, 'unconfined')).toEqual([
      `${at}.type: Forbidden: apparmor type in annotation and field must match`,
    ]);
    expect(found({ type: 'Localhost', localhostProfile: 'x' }, 'localhost/y')).toEqual([
      `${at}.localhostProfile: Forbidden: apparmor profile in annotation and field must match`,
    ]);
  });
});
