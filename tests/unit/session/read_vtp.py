"""Prints a PolyData file as VTK reads it, as JSON. Used by tst_vtp_writer."""
import json
import sys

import vtk
from vtk.util.numpy_support import vtk_to_numpy


def cells(array):
    ids = vtk.vtkIdList()
    array.InitTraversal()
    result = []
    while array.GetNextCell(ids):
        result.append([ids.GetId(k) for k in range(ids.GetNumberOfIds())])
    return result


def arrays(attributes):
    result = {}
    for n in range(attributes.GetNumberOfArrays()):
        array = attributes.GetArray(n)
        values = [[repr(float(v)) for v in row] for row in vtk_to_numpy(array).reshape(array.GetNumberOfTuples(), array.GetNumberOfComponents())]
        result[array.GetName()] = {"type": array.GetDataTypeAsString(), "values": values}
    return result


reader = vtk.vtkXMLPPolyDataReader() if sys.argv[1].endswith(".pvtp") else vtk.vtkXMLPolyDataReader()
reader.SetFileName(sys.argv[1])
reader.Update()
data = reader.GetOutput()
names = data.GetFieldData().GetAbstractArray("termination")
scalars, vectors = data.GetPointData().GetScalars(), data.GetPointData().GetVectors()
json.dump({
    "points": [[repr(float(v)) for v in row] for row in vtk_to_numpy(data.GetPoints().GetData())] if data.GetNumberOfPoints() else [],
    "pointsType": data.GetPoints().GetData().GetDataTypeAsString() if data.GetPoints() else None,
    "lines": cells(data.GetLines()),
    "polys": cells(data.GetPolys()),
    "pointData": arrays(data.GetPointData()),
    "cellData": arrays(data.GetCellData()),
    "scalars": scalars.GetName() if scalars else None,
    "vectors": vectors.GetName() if vectors else None,
    "normals": data.GetPointData().GetNormals() is not None,
    "terminations": [names.GetValue(n) for n in range(names.GetNumberOfValues())] if names else [],
}, sys.stdout)
