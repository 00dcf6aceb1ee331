import type { DescriptionRequirement } from '../lib/description/compare-description.js';
import { Inconclusive } from '../lib/verdict/outcome.js';
import { requirement } from '../lib/requirement/requirement.js';

/** Each row is a part of one comparison, of the target's interface description with the specification. */
function judgedOnDescription(id: DescriptionRequirement): void {
  requirement(id, { withoutTarget: true }, async ({ judgement, describedInterface }) => {
    const described = await describedInterface();
    if (!described.ok) throw new Inconclusive(described.message);
    const { checks, findings } = described.results[id];
    if (checks === 0)
      judgement.leaveOpen('the description has nothing that it could be compared with (see DESC-02)');
    judgement.compared(checks, findings);
  });
}

judgedOnDescription('DESC-01');
judgedOnDescription('DESC-02');
judgedOnDescription('DESC-03');
judgedOnDescription('DESC-04');
judgedOnDescription('DESC-05');
