import type { PetStatus } from '../../operations/animal.js';
import { isPetStatus } from '../../operations/animal.js';
import { Refusal } from '../../operations/refused-request.js';
import { withBehaviour } from '../../changes.js';
import type { Fault } from '../fault.js';
import { create, field, send, expectOnWire } from '../wire.js';

/** Accepts values as a status that are not one. */
function reading(read: (value: unknown) => PetStatus | undefined): Fault['options'] {
  return withBehaviour(({ checkStatus }) => ({ checkStatus: (value) => read(value) ?? checkStatus(value) }));
}

interface AcceptedStatus extends Pick<Fault, 'name' | 'title'> {
  readonly read: (value: unknown) => PetStatus | undefined;
  readonly sent: unknown;
}

/** Breaks CREATE-09. The wire look creates an animal with a value that is not a status. */
function acceptsStatus({ name, title, read, sent }: AcceptedStatus): Fault {
  return {
    name,
    title,
    breaks: ['CREATE-09'],
    options: reading(read),
    async wire(target) {
      expectOnWire(
        (await create(target, { status: sent })).status === 201,
        `the status ${JSON.stringify(sent)} is accepted`,
      );
    },
  };
}

export const creatingStatusFaults: readonly Fault[] = [
  {
    name: 'status-required',
    title: 'A body without a status is refused',
    breaks: ['CREATE-02'],
    options: withBehaviour(({ checkStatus }) => ({
      checkStatus(value) {
        if (value === undefined)
          throw new Refusal('invalid-body', 'The field "status" is required.', 'status');
        return checkStatus(value);
      },
    })),
    async wire(target) {
      expectOnWire(
        (await create(target, { status: undefined })).status === 400,
        'a body without a status is refused',
      );
    },
  },
  {
    name: 'status-omitted-breaks-the-service',
    title: 'A body without a status gets 500',
    breaks: ['CREATE-02', 'ROBUST-01'],
    options: withBehaviour(({ checkStatus }) => ({
      checkStatus(value) {
        if (value === undefined) throw new TypeError('status is undefined');
        return checkStatus(value);
      },
    })),
    async wire(target) {
      expectOnWire(
        (await create(target, { status: undefined })).status === 500,
        'a body without a status breaks it',
      );
    },
  },
  {
    name: 'available-refused',
    title: 'The status available is refused, as it is the default',
    breaks: ['CREATE-01', 'CREATE-03'],
    options: withBehaviour(({ checkStatus }) => ({
      checkStatus(value) {
        if (value === 'available')
          throw new Refusal('invalid-body', 'The field "status" is not valid.', 'status');
        return checkStatus(value);
      },
    })),
    async wire(target) {
      expectOnWire((await create(target)).status === 400, 'the status available is refused');
    },
  },
  {
    name: 'sold-refused',
    title: 'The status sold is refused',
    breaks: ['CREATE-01', 'CREATE-03'],
    options: withBehaviour(({ checkStatus }) => ({
      checkStatus(value) {
        if (value === 'sold') throw new Refusal('invalid-body', 'The field "status" is not valid.', 'status');
        return checkStatus(value);
      },
    })),
    async wire(target) {
      expectOnWire((await create(target, { status: 'sold' })).status === 400, 'the status sold is refused');
    },
  },
  {
    name: 'pending-becomes-available',
    title: 'An animal that is added as pending becomes available',
    breaks: ['CREATE-01', 'CREATE-03'],
    options: withBehaviour(({ checkStatus }) => ({
      checkStatus(value) {
        const status = checkStatus(value);
        return status === 'pending' ? 'available' : status;
      },
    })),
    async wire(target) {
      const { json } = await create(target, { status: 'pending' });
      expectOnWire(field(json(), 'status') === 'available', 'pending comes back as available');
    },
  },
  {
    name: 'any-status-kept',
    title: 'Any text is accepted as a status, and kept',
    breaks: ['CREATE-09', 'PET-02'],
    // The type of a status is what the fault breaks.
    options: withBehaviour(({ checkStatus }) => ({
      checkStatus: (value) => (typeof value === 'string' ? (value as PetStatus) : checkStatus(value)),
    })),
    async wire(target) {
      expectOnWire(
        (await create(target, { status: 'lost' })).text.includes('"status":"lost"'),
        'the status lost is kept',
      );
    },
  },
  acceptsStatus({
    name: 'unknown-status-becomes-available',
    title: 'A word that is not a status is read as available',
    read: (value) => (typeof value === 'string' && !isPetStatus(value) ? 'available' : undefined),
    sent: 'lost',
  }),
  acceptsStatus({
    name: 'status-in-any-case-accepted',
    title: 'A status is read without regard to case',
    read: (value) => known(typeof value === 'string' ? value.toLowerCase() : undefined),
    sent: 'SOLD',
  }),
  acceptsStatus({
    name: 'status-trimmed',
    title: 'Space around a status is trimmed',
    read: (value) => known(typeof value === 'string' ? value.trim() : undefined),
    sent: ' sold ',
  }),
  acceptsStatus({
    name: 'status-with-a-line-break-accepted',
    title: 'A line break after a status is accepted, as the expression for it ends in `$`',
    read: (value) =>
      typeof value === 'string' && value.endsWith('\n') ? known(value.slice(0, -1)) : undefined,
    sent: 'sold\n',
  }),
  acceptsStatus({
    name: 'inherited-status-accepted',
    title: 'A status is looked up in an object, and inherited properties are found',
    read: (value) => (typeof value === 'string' && value in {} ? 'available' : undefined),
    sent: 'constructor',
  }),
  acceptsStatus({
    name: 'null-status-accepted',
    title: 'null is accepted as a status',
    read: (value) => (value === null ? 'available' : undefined),
    sent: null,
  }),
  acceptsStatus({
    name: 'empty-status-accepted',
    title: 'Empty text is accepted as a status',
    read: (value) => (value === '' ? 'available' : undefined),
    sent: '',
  }),
  acceptsStatus({
    name: 'status-may-be-a-number',
    title: 'A status may be given by its index in the enumeration',
    read: (value) => (typeof value === 'bigint' ? 'available' : undefined),
    sent: 1,
  }),
  {
    name: 'null-status-when-omitted',
    title: 'An animal that was created without a status is shown with null',
    breaks: ['PET-02'],
    options: withBehaviour(({ show }) => ({
      statusWhenOmitted: () => undefined,
      show(animal, place) {
        const shown = show(animal, place) as Readonly<Record<string, unknown>>;
        return animal.status === undefined ? { ...shown, status: null } : shown;
      },
    })),
    async wire(target) {
      const { id } = await create(target, { status: undefined });
      const { text } = await send(target, { path: `/pets/${id}` });
      expectOnWire(text.includes('"status":null'), 'a status of null');
    },
  },
  {
    name: 'status-unknown-when-omitted',
    title: 'An animal that was created without a status is shown as unknown',
    breaks: ['PET-02'],
    options: withBehaviour(({ show }) => ({
      statusWhenOmitted: () => undefined,
      show(animal, place) {
        const shown = show(animal, place) as Readonly<Record<string, unknown>>;
        return animal.status === undefined ? { ...shown, status: 'unknown' } : shown;
      },
    })),
    async wire(target) {
      const { text } = await create(target, { status: undefined });
      expectOnWire(text.includes('"status":"unknown"'), 'a status of unknown');
    },
  },
];

function known(value: string | undefined): PetStatus | undefined {
  return isPetStatus(value) ? value : undefined;
}
