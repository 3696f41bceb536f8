/** Forms and their fields: a name, a hint, what is wrong with it; and the buttons. */
import { type ComponentChildren, createContext, h, type LooseInputHTMLAttributes } from "preact";
import { useContext, useEffect, useId } from "preact/hooks";
import type { ApiFailure } from "../core/http.ts";
import type { Action } from "../core/read.ts";
import { Failure } from "./page.tsx";

/** The answer to a form, which may say what is wrong with its fields. */
export const FormFailure = createContext<ApiFailure | null>(null);

type FieldProps = {
  label: string;
  name: string;
  hint?: ComponentChildren;
  /** At its first drawing, also where that comes later than the page. */
  autofocus?: boolean | undefined;
  children: (attributes: {
    id: string;
    name: string;
    "aria-describedby": string | undefined;
    "aria-invalid": true | undefined;
  }) => ComponentChildren;
};

function Field({ label, name, hint, autofocus, children }: FieldProps) {
  const id = useId();
  const failure = useContext(FormFailure);
  useEffect(() => {
    if (autofocus) document.getElementById(id)?.focus();
  }, []);
  const mistake = failure?.details.find(({ field }) => field === name)?.message;
  const notes = [hint && `${id}-hint`, mistake && `${id}-mistake`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        name,
        "aria-describedby": notes || undefined,
        "aria-invalid": mistake ? true : undefined,
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

type InputAttributes = Omit<LooseInputHTMLAttributes<HTMLInputElement>, keyof FieldProps>;

export function TextField({
  label,
  hint,
  autofocus,
  ...input
}: Omit<FieldProps, "children"> & InputAttributes) {
  return (
    <Field {...{ label, hint, autofocus, name: input.name }}>
      {(props) => h("input", { type: "text", autocomplete: "off", ...input, ...props })}
    </Field>
  );
}

export const NewPasswordField = ({ name, autofocus }: Pick<FieldProps, "name" | "autofocus">) => (
  <TextField
    label="New password"
    name={name}
    type="password"
    autocomplete="new-password"
    minLength={8}
    hint="At least eight characters. Common passwords are refused."
    required
    autofocus={autofocus}
  />
);

/** A code of an authenticator. One that is pasted whole is sent; one that is typed waits for the button. */
export const CodeField = ({ isFirst = false }) => (
  <TextField
    label="Code"
    name="code"
    inputMode="numeric"
    autocomplete="one-time-code"
    hint="Six digits of your authenticator app, or a recovery code."
    autofocus={isFirst}
    onPaste={sendWhole}
    required
  />
);

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
  /** For text that machines wrote. */
  isCode?: boolean;
};

export function TextArea({ required = false, isCode = false, ...field }: TextAreaProps) {
  const kind = isCode ? { class: "mono", spellcheck: false } : { maxLength: 2_000 };
  return <Field {...field}>{(props) => <textarea {...props} {...kind} required={required} />}</Field>;
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

export type Options = readonly (readonly [value: string, label: string])[];
type SelectProps = {
  label: string;
  name: string;
  value?: string | undefined;
  options: Options;
  onChange?: (value: string) => void;
};

export function SelectField({ label, name, value, options, onChange }: SelectProps) {
  return (
    <Field label={label} name={name}>
      {(props) => (
        <select {...props} onChange={(event) => onChange?.(event.currentTarget.value)}>
          {options.map(([each, text]) => (
            // `value` of the select would undo what the person chose, with every drawing.
            <option key={each} value={each} selected={each === value}>
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
  label?: string | undefined;
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

export type Values = Record<string, string>;

type FormProps = {
  action: Action<[Values, HTMLFormElement]>;
  submit: string;
  kind?: "primary" | undefined;
  children: ComponentChildren;
};

export function Form({ action, submit, kind, children }: FormProps) {
  return (
    <form class="stack" onSubmit={onSubmit((values, form) => void action.run(values, form))}>
      <FormFailure.Provider value={action.failure}>{children}</FormFailure.Provider>
      <Failure failure={action.failure} />
      <div>
        <Button submit kind={kind} isBusy={action.isBusy}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

/** For forms that the page sends itself. */
export const onSubmit =
  (submit: (values: Values, form: HTMLFormElement) => void) =>
  (event: SubmitEvent): void => {
    event.preventDefault();
    if (event.currentTarget instanceof HTMLFormElement)
      submit(valuesOf(event.currentTarget), event.currentTarget);
  };

/** Without white space around them, or anywhere in a code; a password is sent as it was typed. */
function valuesOf(form: HTMLFormElement): Values {
  const given = [...new FormData(form)].map(([name, value]) => {
    const text = String(value);
    const field = form.elements.namedItem(name);
    if (!(field instanceof HTMLInputElement)) return [name, text.trim()] as const;
    if (field.type === "password") return [name, text] as const;
    return [name, field.autocomplete === "one-time-code" ? text.replace(/\s/g, "") : text.trim()] as const;
  });
  return Object.fromEntries(given);
}
