export { visibleText } from '@tandem/contract/text'
