import { expect, test } from 'vitest';
import { environmentOf } from './run-environment.js';

const commit = '0123456789abcdef0123456789abcdef01234567';

test.each<[string, Record<string, string>, string | undefined]>([
  [
    'GitHub',
    {
      GITHUB_ACTIONS: 'true',
      GITHUB_SHA: commit,
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'ann/pets',
      GITHUB_RUN_ID: '7',
      GITHUB_RUN_ATTEMPT: '2',
    },
    'https://github.com/ann/pets/actions/runs/7/attempts/2',
  ],
  [
    'GitLab',
    { GITLAB_CI: 'true', CI_COMMIT_SHA: commit, CI_JOB_URL: 'https://gitlab.example/jobs/1' },
    'https://gitlab.example/jobs/1',
  ],
  [
    'Jenkins, with a password in the address',
    { JENKINS_URL: 'x', GIT_COMMIT: commit, BUILD_URL: 'https://ann:secret@ci.example/job/1/' },
    'https://ci.example/job/1/',
  ],
  ['a service that tells no page', { GITLAB_CI: 'true', CI_COMMIT_SHA: commit }, undefined],
  [
    'an address that is none',
    { GITLAB_CI: '1', CI_COMMIT_SHA: commit, CI_JOB_URL: 'javascript:1' },
    undefined,
  ],
])('the commit and the job are told by %s', (_, variables, page) => {
  expect(environmentOf(variables)).toEqual({
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    commit,
    ...(page !== undefined && { ciJob: page }),
  });
});

test('elsewhere neither is told, nor is what looks like no commit', () => {
  expect(environmentOf({ CI_COMMIT_SHA: commit })).not.toHaveProperty('commit');
  expect(environmentOf({ GITHUB_ACTIONS: 'true', GITHUB_SHA: '::error::' })).not.toHaveProperty('commit');
});
