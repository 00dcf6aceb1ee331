import { faultsTurnExactlyTheirSet } from './testing/faults-turn.js';

faultsTurnExactlyTheirSet('getting');
