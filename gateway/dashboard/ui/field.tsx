/** Form fields: a name, a hint, what is wrong with it; and the buttons of forms. */
import type { ComponentChildren } from "preact";
import { useEffect, useId } from "preact/hooks";
import type { ApiFailure } from "../core/http.ts";

type Text = string | undefined;
type FieldProps = {
  label: string;
  /** Where the place says it already, as in a table. */
  isLabelHidden?: boolean;
  hint?: ComponentChildren;
  /** The answer that may say what is wrong with `name`. */
  failure?: ApiFailure | null;
  name?: string;
  /** At its first drawing, also where that comes later than the page. */
  autofocus?: boolean;
  children: (props: {
    id: string;
    name?: string;
    "aria-describedby"?: string;
    "aria-invalid"?: true;
  }) => ComponentChildren;
};

function Field({ label, isLabelHidden = false, hint, failure, name, autofocus, children }: FieldProps) {
  const id = useId();
  useEffect(() => {
    if (autofocus) document.getElementById(id)?.focus();
  }, []);
  const mistake: Text = name && failure?.details.find(({ field }) => field === name)?.message;
  const notes = [hint && `${id}-hint`, mistake && `${id}-mistake`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id} class={isLabelHidden ? "visually-hidden" : ""}>
        {label}
      </label>
      {children({
        id,
        ...(name ? { name } : {}),
        ...(notes ? { "aria-describedby": notes } : {}),
        ...(mistake ? { "aria-invalid": true as const } : {}),
      })}
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {mistake && (
        <span class="mistake" id={`${id}-mistake`}>
          {mistake}
        </span>
      )}
    </div>
  );
}

type InputAttributes = {
  name: string;
  autocomplete?: "username" | "current-password" | "new-password" | "one-time-code" | "off";
  inputMode?: "numeric" | "url";
  defaultValue?: string;
  value?: string;
  placeholder?: string;
  required?: boolean;
  autofocus?: boolean;
  minLength?: number;
  step?: string;
  class?: string;
};

type Attributes = InputAttributes & {
  id: string;
  onPaste?: (event: ClipboardEvent) => void;
  onInput?: (event: InputEvent) => void;
};

/** Preact has a type of its own for each kind of input. */
const INPUTS = {
  text: (attributes: Attributes) => <input {...attributes} type="text" />,
  email: (attributes: Attributes) => <input {...attributes} type="email" />,
  password: (attributes: Attributes) => <input {...attributes} type="password" />,
  url: (attributes: Attributes) => <input {...attributes} type="url" />,
  search: (attributes: Attributes) => <input {...attributes} type="search" />,
  "datetime-local": (attributes: Attributes) => <input {...attributes} type="datetime-local" />,
};

type InputProps = Omit<FieldProps, "children" | "name" | "autofocus"> &
  InputAttributes & {
    type?: keyof typeof INPUTS;
    onInput?: (value: string) => void;
    onPaste?: (event: ClipboardEvent) => void;
  };

export function TextField(given: InputProps) {
  const {
    label,
    isLabelHidden = false,
    hint,
    failure = null,
    type = "text",
    onInput,
    autofocus = false,
    ...input
  } = given;
  const listener = onInput && { onInput: (event: InputEvent) => onInput(textIn(event)) };
  return (
    <Field {...{ label, isLabelHidden, hint, failure, autofocus, name: input.name }}>
      {(props) => INPUTS[type]({ ...input, ...listener, ...props })}
    </Field>
  );
}

const textIn = ({ target }: InputEvent): string => (target instanceof HTMLInputElement ? target.value : "");

type CodeProps = { failure?: ApiFailure | null; isFirst?: boolean };

/** A code of an authenticator. One that is pasted whole is sent; one that is typed waits for the button. */
export function CodeField({ failure = null, isFirst = false }: CodeProps) {
  return (
    <TextField
      label="Code"
      name="code"
      inputMode="numeric"
      autocomplete="one-time-code"
      hint="Six digits of your authenticator app, or a recovery code."
      failure={failure}
      autofocus={isFirst}
      onPaste={sendWhole}
      required
    />
  );
}

function sendWhole(event: ClipboardEvent): void {
  const { target, clipboardData } = event;
  const code = clipboardData?.getData("text").replace(/\s/g, "") ?? "";
  if (!(target instanceof HTMLInputElement) || !/^\d{6}$/.test(code)) return;
  event.preventDefault();
  target.value = code;
  target.form?.requestSubmit();
}

type TextAreaProps = Omit<FieldProps, "children"> & {
  required?: boolean;
  maxLength?: number;
  /** For text that machines wrote. */
  isCode?: boolean;
};

export function TextArea({ required = false, maxLength, isCode = false, ...field }: TextAreaProps) {
  return (
    <Field {...field}>
      {(props) => (
        <textarea
          {...props}
          {...(maxLength ? { maxLength } : {})}
          {...(isCode ? { class: "mono", spellcheck: false } : {})}
          required={required}
        />
      )}
    </Field>
  );
}

type CheckProps = { label: string; checked: boolean; onChange: (value: boolean) => void };

export function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

type SelectProps = {
  label: string;
  isLabelHidden?: boolean;
  name: string;
  value?: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange?: (value: string) => void;
};

export function SelectField({ label, isLabelHidden = false, name, value, options, onChange }: SelectProps) {
  return (
    <Field label={label} isLabelHidden={isLabelHidden} name={name}>
      {(props) => (
        <select {...props} value={value} onChange={(event) => onChange?.(event.currentTarget.value)}>
          {options.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

type ButtonProps = {
  children: ComponentChildren;
  onClick?: () => void;
  kind?: "primary" | "danger" | "plain" | undefined;
  isBusy?: boolean;
  submit?: boolean;
  label?: string;
};

export function Button({ children, onClick, kind, isBusy = false, submit = false, label }: ButtonProps) {
  return (
    <button
      type={submit ? "submit" : "button"}
      class={kind ? `button ${kind}` : "button"}
      // Not `disabled`: a button under the finger must not lose the focus.
      aria-disabled={isBusy}
      aria-label={label}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

/** The values of a form, without white space around them; a password is sent as it was typed. */
const valuesOf = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => {
      const text = typeof value === "string" ? value : "";
      return [name, isPassword(form, name) ? text : text.trim()];
    }),
  );

function isPassword(form: HTMLFormElement, name: string): boolean {
  const field = form.elements.namedItem(name);
  return field instanceof HTMLInputElement && field.type === "password";
}

/** For forms that the page sends itself. */
export const onSubmit =
  (submit: (values: Record<string, string>) => void) =>
  (event: SubmitEvent): void => {
    event.preventDefault();
    if (event.currentTarget instanceof HTMLFormElement) submit(valuesOf(event.currentTarget));
  };
