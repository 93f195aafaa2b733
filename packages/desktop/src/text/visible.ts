/** In an approval, every character shows: `❤.md` and `❤️.md` are different files. */
export { visibleInTerminal as visibleInApproval, visibleText } from '@tandem/contract/text'
