import openApiDocument from './openapi.json' with { type: 'json' };

const { paths } = openApiDocument;

/** The statuses that the interface description lists for each operation, and where. 429 (section 7) may come from any. */
export const describedStatuses = {
  listPets: listed(paths['/pets'].get.responses, '/~1pets/get'),
  createPet: listed(paths['/pets'].post.responses, '/~1pets/post'),
  getPet: listed(paths['/pets/{petId}'].get.responses, '/~1pets~1{petId}/get'),
};

function listed(responses: object, place: string) {
  const statuses = Object.keys(responses).map(Number);
  return {
    statuses: statuses.filter((status) => status !== 429),
    described: `openapi.json#/paths${place}/responses`,
  };
}
