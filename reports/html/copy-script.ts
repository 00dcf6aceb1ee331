/**
 * The page's only script: it shows the buttons beside commands, which copy them. Without it the page lacks nothing but these. Its
 * hash stands in the Content-Security-Policy, so that no data can bring another.
 */
export const copyScript = `
for (const button of document.querySelectorAll('.command > button')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    getSelection().selectAllChildren(button.previousElementSibling);
    button.textContent = document.execCommand('copy') ? 'Copied' : 'Selected';
  });
}
`;
