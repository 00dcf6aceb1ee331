/**
 * The clauses of the specification: headings of its outline, and points of numbered lists. Their anchors are those in the
 * catalogue's `clauses`; a clause that the specification leaves unnumbered has a word.
 */
// prettier-ignore
export const clauses = [
  { anchor: '1', title: 'What the service does' },
  { anchor: '2', title: 'Resources and their fields' },
  { anchor: '2-newpet', title: 'NewPet' },
  { anchor: '2-pet', title: 'Pet' },
  { anchor: '2-pets', title: 'Pets' },
  { anchor: '2-petstatus', title: 'PetStatus' },
  { anchor: '2-error', title: 'Error' },
  { anchor: '2-gaps', title: 'Gaps in resource definitions' },
  { anchor: '3', title: 'States and transitions' },
  { anchor: '4', title: 'Endpoints' },
  { anchor: '4.1', title: 'List animals' },
  { anchor: '4.2', title: 'Add an animal' },
  { anchor: '4.3', title: 'Get an animal (deprecated)' },
  { anchor: '5', title: 'Authentication' },
  { anchor: '5.1', title: 'One HTTP bearer scheme' },
  { anchor: '5.2', title: 'The form of the credential' },
  { anchor: '5.3', title: 'Missing or invalid key' },
  { anchor: '6', title: 'Events' },
  { anchor: '7', title: 'Errors' },
  { anchor: '8', title: 'Limits' },
  { anchor: '8-page-size', title: 'Page size' },
  { anchor: '8-plans', title: 'Rate limits by plan' },
  { anchor: '8-headers', title: 'Rate limit headers' },
  { anchor: '8-exceeded', title: 'Behaviour when the limit is exceeded' },
  { anchor: '9', title: 'Versioning' },
  { anchor: '9.1', title: 'Version in the address' },
  { anchor: '9.2', title: 'Version of the description' },
  { anchor: '9.3', title: 'Deprecation of `GET /pets/{petId}`' },
  { anchor: '9.4', title: 'Policy and negotiation' },
];
