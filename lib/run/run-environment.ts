import type { RunRecord } from '../evidence/record/record.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** A CI service, by a variable that it sets, and where it tells the commit and the page of the job. */
interface CiService {
  readonly sign: string;
  readonly commit: string;
  readonly page: (variable: (name: string) => string) => string;
}

/** As their documentation names the variables. Forgejo and Gitea set those of GitHub. */
const services: readonly CiService[] = [
  {
    sign: 'GITHUB_ACTIONS',
    commit: 'GITHUB_SHA',
    page: (of) =>
      `${of('GITHUB_SERVER_URL')}/${of('GITHUB_REPOSITORY')}/actions/runs/${of('GITHUB_RUN_ID')}/attempts/${of('GITHUB_RUN_ATTEMPT')}`,
  },
  { sign: 'GITLAB_CI', commit: 'CI_COMMIT_SHA', page: (of) => of('CI_JOB_URL') },
  { sign: 'JENKINS_URL', commit: 'GIT_COMMIT', page: (of) => of('BUILD_URL') },
  {
    sign: 'TF_BUILD',
    commit: 'BUILD_SOURCEVERSION',
    page: (of) =>
      `${of('SYSTEM_COLLECTIONURI')}${of('SYSTEM_TEAMPROJECT')}/_build/results?buildId=${of('BUILD_BUILDID')}`,
  },
  { sign: 'CIRCLECI', commit: 'CIRCLE_SHA1', page: (of) => of('CIRCLE_BUILD_URL') },
  { sign: 'BUILDKITE', commit: 'BUILDKITE_COMMIT', page: (of) => of('BUILDKITE_BUILD_URL') },
  {
    sign: 'BITBUCKET_BUILD_NUMBER',
    commit: 'BITBUCKET_COMMIT',
    page: (of) => `${of('BITBUCKET_GIT_HTTP_ORIGIN')}/pipelines/results/${of('BITBUCKET_BUILD_NUMBER')}`,
  },
  { sign: 'TRAVIS', commit: 'TRAVIS_COMMIT', page: (of) => of('TRAVIS_JOB_WEB_URL') },
  { sign: 'DRONE', commit: 'DRONE_COMMIT_SHA', page: (of) => of('DRONE_BUILD_LINK') },
  {
    sign: 'CODEBUILD_BUILD_ID',
    commit: 'CODEBUILD_RESOLVED_SOURCE_VERSION',
    page: (of) => of('CODEBUILD_BUILD_URL'),
  },
  { sign: 'CI_PIPELINE_URL', commit: 'CI_COMMIT_SHA', page: (of) => of('CI_PIPELINE_URL') },
];

const longestUrl = 500;

/** What a run was made on: Node, the platform and, if the environment tells them, the commit and the page of the CI job. */
export function environmentOf(variables: Variables): NonNullable<RunRecord['run']['environment']> {
  const service = services.find(({ sign }) => (variables[sign] ?? '') !== '');
  const commit = service && variables[service.commit];
  const page = service && pageOf(service.page((name) => variables[name] ?? ''));
  return {
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    ...(commit !== undefined && /^[0-9a-f]{7,64}$/i.test(commit) && { commit }),
    ...(page !== undefined && { ciJob: page }),
  };
}

/** An address without what may be secret in one. */
function pageOf(text: string): string | undefined {
  if (text.length > longestUrl || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  Object.assign(url, { username: '', password: '' });
  return url.href;
}
