"""A small reader of Amazon States Language with JSONata: as much of it as infra/aws uses, so that the chain is run and not only parsed."""

import jsonata


class Failed(Exception):
    """A state failed, as Batch's `.sync` tasks do when a job ends badly."""


def evaluate(value, context):
    """A template with every `{% expression %}` in it evaluated. Step Functions fails where an expression gives nothing; so does this."""
    if isinstance(value, dict):
        return {key: evaluate(inner, context) for key, inner in value.items()}
    if isinstance(value, list):
        return [evaluate(inner, context) for inner in value]
    if isinstance(value, str) and value.startswith("{%") and value.endswith("%}"):
        expression = jsonata.Jsonata(value[2:-2].strip())
        frame = expression.create_frame()
        for name, bound in context.items():
            frame.bind(name, bound)
        found = expression.evaluate(None, frame)
        if found is None:
            raise Failed(f"{value} gives nothing")
        return found
    return value


def run(definition, task, execution):
    """Runs a machine. `task(resource, arguments)` does what a service would. Gives the names of the states, in order, the last one's
    Type, and what was assigned."""
    variables, path, name = {}, [], definition["StartAt"]
    while True:
        state = definition["States"][name]
        path.append(name)
        assert len(path) < 500, "the machine does not end"
        states = {"context": execution, "input": {}}
        context = {**variables, "states": states}
        if state["Type"] in ("Succeed", "Fail"):
            return path, state["Type"], variables
        if state["Type"] == "Choice":
            chosen = (choice["Next"] for choice in state["Choices"] if evaluate(choice["Condition"], context) is True)
            name = next(chosen, state["Default"])
            continue
        if state["Type"] == "Task":
            try:
                states["result"] = task(state["Resource"], evaluate(state["Arguments"], context))
            except Failed:
                caught = [catch["Next"] for catch in state.get("Catch", []) if catch["ErrorEquals"] == ["States.ALL"]]
                if not caught:
                    raise
                name = caught[0]
                continue
        # All of one Assign see the values from before it.
        variables.update(evaluate(state.get("Assign", {}), context))
        name = state["Next"]
