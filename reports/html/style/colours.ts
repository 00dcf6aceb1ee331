/** Colours by role, light and dark; each text colour has a contrast of at least 4.5 to 1 on its ground (WCAG AA). */
export const colours = `
:root {
  color-scheme: light dark;
  --paper: #ffffff;
  --raised: #f5f6f8;
  --ink: #16191d;
  --quiet: #555d67;
  --rule: #d5d9df;
  --strong-rule: #9aa2ad;
  --link: #174ea6;
  --pass: #17663a;
  --fail: #b3211a;
  --warn: #855000;
  --observed: #1f56a3;
  --open: #555d67;
  --wrong-ground: #fde3e0;
  --wrong-ink: #7d120d;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b;
    --raised: #1d2126;
    --ink: #e8eaed;
    --quiet: #a8b0ba;
    --rule: #353b43;
    --strong-rule: #6c7580;
    --link: #9ec2ff;
    --pass: #7fd6a0;
    --fail: #ff9c92;
    --warn: #f0bd66;
    --observed: #9ec2ff;
    --open: #a8b0ba;
    --wrong-ground: #55211d;
    --wrong-ink: #ffd9d5;
  }
}
.is-pass { --tone: var(--pass); }
.is-fail { --tone: var(--fail); }
.is-warn { --tone: var(--warn); }
.is-waived { --tone: var(--warn); }
.is-observed { --tone: var(--observed); }
.is-inconclusive, .is-not-tested, .is-not-applicable { --tone: var(--open); }
`;
