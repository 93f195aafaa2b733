import { Fragment } from 'react'
import { strings } from '../../strings/map.ts'
import { type Field, fieldsOf, typeOf } from './field.ts'

/** A schema with a heading, drawn as its fields. */
export function Fields({ title, shape }: { title: string; shape: object }) {
  const alternatives = fieldsOf(shape)
  return (
    <div className="mt-3 min-w-0">
      <h4 className="mb-1 font-medium text-faint text-sm">{title}</h4>
      <Alternatives alternatives={alternatives} empty={alternatives.length === 0 ? typeOf(shape) : strings.no_fields} />
    </div>
  )
}

function Alternatives({ alternatives, empty }: { alternatives: readonly (readonly Field[])[]; empty: string }) {
  if (alternatives.every((fields) => fields.length === 0)) return <p className="text-soft text-sm">{empty}</p>
  return alternatives.map((fields, index) => (
    <Fragment key={fields.map((field) => `${field.name} ${field.type}`).join()}>
      {index > 0 && <p className="my-1 text-[13px] text-faint">{strings.or}</p>}
      <ul className="space-y-1 border-line border-l-2 pl-3">
        {fields.map((field) => (
          <FieldLine key={field.name} field={field} />
        ))}
      </ul>
    </Fragment>
  ))
}

function FieldLine({ field }: { field: Field }) {
  return (
    <li className="text-sm">
      <code>{field.name}</code> <span className="break-words text-soft">{field.type}</span>
      {field.optional && <span className="text-faint"> · {strings.optional}</span>}
      {field.description && <span className="text-faint"> · {field.description}</span>}
      {field.inside.length > 0 && (
        <div className="mt-1 mb-2">
          <Alternatives alternatives={field.inside} empty={strings.no_fields} />
        </div>
      )}
    </li>
  )
}
