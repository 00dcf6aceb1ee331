/**
 * The page's only script: it shows the buttons beside commands, which copy them. Without it the page lacks nothing but these. Its
 * hash stands in the Content-Security-Policy, so that no data can bring another.
 */
export const copyScript = `
for (const button of document.querySelectorAll('.command > button')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const command = button.previousElementSibling;
    getSelection().selectAllChildren(command);
    try {
      await navigator.clipboard.writeText(command.textContent);
    } catch {
      document.execCommand('copy');
    }
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
}
`;
