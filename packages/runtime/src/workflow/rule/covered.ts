import { templateParts } from '@tandem/contract/workflow'

/** Whether a person has seen all arguments of a call: they are constant, or inputs that a person gave on this device. */
export function isCovered(args: string, areInputsOfPerson: boolean): boolean {
  return texts(JSON.parse(args)).every((text) =>
    templateParts(text).every((part) => 'text' in part || ('reference' in part && part.reference.of === 'inputs' && areInputsOfPerson)),
  )
}

function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : []
}
