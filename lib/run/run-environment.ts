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
