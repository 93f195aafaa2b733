// YAML that can be read again without a change, whatever characters a text contains.
import { yaml } from './yaml-library.ts'

export function yamlOf(value: object): string {
  const { Document, isMap, isScalar, Scalar, visit } = yaml()
  const document = new Document(value, { version: '1.2', schema: 'core', merge: false, aliasDuplicateObjects: false })
  visit(document, {
    Scalar(key, node) {
      if (typeof node.value !== 'string') return
      if (needsEscapes.test(node.value) || (key === 'key' && node.value === '<<')) node.type = Scalar.QUOTE_DOUBLE
    },
    Pair(_, { key, value: fields }) {
      // Where an editor draws a node is of little interest to readers.
      if (isScalar(key) && key.value === 'position' && isMap(fields)) fields.flow = true
    },
  })
  return document.toString({ lineWidth: 0 })
}

/** Characters that YAML does not allow, or that readers cannot see. */
const needsEscapes = /[^\n\t\P{C}]|[\p{Zl}\p{Zp}]/u
