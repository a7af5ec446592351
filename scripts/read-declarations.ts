import ts from "typescript-5.9";

/** A member of an object with verbs. */
export interface Member {
  name: string;
  /** As it is declared, without comments. */
  text: string;
  doc: string;
  isVerb: boolean;
  /** What its type is called. */
  typeName: string | undefined;
}

/** A public name. */
export interface Exported {
  name: string;
  doc: string;
  /** Of a function or a value; undefined for a type. */
  signature: string | undefined;
  members: Member[];
  /** What data looks like: the names of its fields, or its values. */
  shape: string;
}

const WHOLE: ts.TypeFormatFlags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;

/** Reads what files export, each with its doc comment, in the order of the alphabet. */
export function readDeclarations(files: string[], options: ts.CompilerOptions): Exported[][] {
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  return files.map((file) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
    return checker
      .getExportsOfModule(module)
      .map((symbol) => exportedOf(checker, symbol))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  });
}

function exportedOf(checker: ts.TypeChecker, symbol: ts.Symbol): Exported {
  const { name } = symbol;
  const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const doc = docOf(checker, meant);
  if (meant.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Variable))
    return { name, doc, signature: signatureOf(checker, meant, name), members: [], shape: "" };
  const type = checker.getDeclaredTypeOfSymbol(meant);
  const members = type.isUnion() ? [] : membersOf(checker, type);
  const signature =
    meant.flags & ts.SymbolFlags.Class && !members.some(({ isVerb }) => isVerb) ? `class ${name}` : undefined;
  return { name, doc, signature, members, shape: shapeOf(checker, type) };
}

function docOf(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, " ");
}

function signatureOf(checker: ts.TypeChecker, symbol: ts.Symbol, name: string): string {
  const [called] = checker.getNonNullableType(checker.getTypeOfSymbol(symbol)).getCallSignatures();
  if (!called) return name;
  return plain(`${name}${checker.signatureToString(called, undefined, ts.TypeFormatFlags.NoTruncation)}`);
}

/** Without what says nothing to a reader. */
function plain(text: string): string {
  return text
    .replaceAll(/(\?: [^?(){}]*?) \| undefined(?=[,;)]|$)/g, "$1")
    .replaceAll(/(, any)+>/g, ">")
    .replaceAll("<ArrayBufferLike>", "")
    .replaceAll("; }", " }");
}

function membersOf(checker: ts.TypeChecker, type: ts.Type): Member[] {
  return ownProperties(type).map((symbol) => {
    const isVerb = (symbol.flags & ts.SymbolFlags.Method) !== 0;
    const itsType = checker.getTypeOfSymbol(symbol);
    const optional = symbol.flags & ts.SymbolFlags.Optional ? "?" : "";
    const text = isVerb
      ? signatureOf(checker, symbol, `${symbol.name}${optional}`)
      : plain(
          `${symbol.name}${optional}: ${checker.typeToString(itsType, undefined, ts.TypeFormatFlags.NoTruncation)}`,
        );
    return { name: symbol.name, text, doc: docOf(checker, symbol), isVerb, typeName: itsType.symbol?.name };
  });
}

// Neither what is private, nor what a symbol names, nor what every error and array has.
function ownProperties(type: ts.Type): ts.Symbol[] {
  return type.getProperties().filter(({ name, declarations = [] }) => {
    const isOurs = declarations.some((each) => !each.getSourceFile().fileName.includes("/node_modules/"));
    return isOurs && /^\w+$/.test(name) && name !== "prototype";
  });
}

function shapeOf(checker: ts.TypeChecker, type: ts.Type): string {
  if (type.isUnion()) {
    const variants = type.types.map((each) => variantOf(checker, each));
    return variants.includes(undefined) ? checker.typeToString(type, undefined, WHOLE) : variants.join(" | ");
  }
  const fields = fieldsOf(type);
  return fields.length === 0 ? checker.typeToString(type, undefined, WHOLE) : `{ ${fields.join(", ")} }`;
}

/** One of several shapes: by the field that tells them apart, and the others. */
function variantOf(checker: ts.TypeChecker, type: ts.Type): string | undefined {
  if (type.isStringLiteral()) return `"${type.value}"`;
  const told = ownProperties(type).find(
    (symbol) => checker.getTypeOfSymbol(symbol).isStringLiteral() && TOLD_BY.has(symbol.name),
  );
  if (!told) return undefined;
  const rest = fieldsOf(type).filter((field) => field !== told.name);
  return `{ ${[`${told.name}: ${checker.typeToString(checker.getTypeOfSymbol(told))}`, ...rest].join(", ")} }`;
}

const TOLD_BY = new Set(["kind", "subtype", "status", "behavior"]);

function fieldsOf(type: ts.Type): string[] {
  const names = ownProperties(type).map(({ name, flags }) =>
    flags & ts.SymbolFlags.Optional ? `${name}?` : name,
  );
  return type.getStringIndexType() && names.length > 0 ? [...names, "…"] : names;
}
